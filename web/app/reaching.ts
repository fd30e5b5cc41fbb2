// Why a message that a link leads to isn't shown: that it can't be had, or what it waits for.
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { apartBy } from "../store/apart.ts";
import type { WorkspaceClient } from "../sync/client.ts";
import { o } from "../ui/strings-offline.ts";

/** One that is fetched by then needs no word. */
export const COMING_SAID_AFTER_MS = 1_000;

/**
 * @param going whether it is shown in the end
 * @param stay whoever is told waits with something to look at
 * @param tell what is said of something else stays
 * @returns for who goes elsewhere
 */
export function tellOf(
  client: Pick<WorkspaceClient, "connection" | "message" | "readiness">,
  channel: ChannelId,
  message: MessageId,
  going: Promise<boolean>,
  stay: () => void,
  tell: (change: (now: string | null) => string | null) => void,
): () => void {
  let said: string | null = null;
  /** Once: whoever closed it needn't close it again. */
  const say = (next: string | null): void => {
    const before = said;
    if (next === before) return;
    said = next;
    if (next !== null) stay();
    tell((now) => (now === null || now === before ? next : now));
  };
  const held = client.message(channel, message);
  let isLate = false;
  const look = (): void => {
    const [row, ready] = [held.snapshot(), client.readiness.snapshot()];
    if (row.state !== "ready" || ready.state !== "ready") return;
    const { filling } = ready.value;
    const apart = apartBy(client.connection.snapshot());
    if (row.value !== null) say(null);
    // Also where all that is kept here is here, and filling has nothing to wait for.
    else if (apart !== null) say(o.linked.waits(o.linked.why[apart]));
    else if (filling.state === "paused") say(o.linked.waits(o.linked.why[filling.why]));
    else say(isLate ? o.linked.comes : null);
  };
  let isOver = false;
  const timer = setTimeout(() => {
    isLate = true;
    stay();
    look();
  }, COMING_SAID_AFTER_MS);
  const stops = [held, client.readiness, client.connection].map((view) => view.subscribe(look));
  const end = (last: string | null): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    for (const stop of stops) stop();
    say(last);
  };
  look();
  void going.then((isThere) => {
    const isLive = client.connection.snapshot().state === "live";
    end(isThere ? null : isLive ? o.linked.notFound : o.linked.notHere);
  });
  return () => {
    end(null);
    say(null);
  };
}
