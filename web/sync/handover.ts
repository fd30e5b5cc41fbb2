// When the service worker is asked to deliver what waits here: something is queued, and this tab is not sure to send it,
// being out of sight, leaving, or without a live link. Asked once too often costs little, once too seldom a night.
import { isOpen, readOutbox } from "../store/outbox.ts";
import type { OutboxRecord } from "../store/schema.ts";
import type { Source } from "../store/source.ts";
import type { Store } from "../store/store.ts";
import { isRange } from "../store/tx.ts";
import type { Ports } from "./ports.ts";

export interface HandoverDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, "page" | "now" | "report"> & { readonly deliverLater: () => void };
  /** Tells whenever `isLive` may have changed. */
  readonly changes: Source;
  readonly isLive: () => boolean;
}

/** While nothing else happens it is asked again this often at most. */
const AGAIN_AFTER_MS = 60_000;

/** Answers how to stop it. */
export function watchForHandover({ store, ports, changes, isLive }: HandoverDeps): () => void {
  /** Places of what can be sent; kept here, for a page that leaves has no time to read. */
  const waiting = new Set<number>();
  let askedAt: number | null = null;

  const ask = (): void => {
    askedAt = ports.now();
    ports.deliverLater();
  };
  const consider = (): void => {
    if (waiting.size === 0) askedAt = null;
    else if (isLive() && ports.page.isVisible()) return;
    // Also where the clock was set back, and it would be for hours.
    else if (askedAt === null || Math.abs(ports.now() - askedAt) > AGAIN_AFTER_MS) ask();
  };
  const note = (op: OutboxRecord): void => {
    if (op.n !== undefined || isOpen(op)) waiting.add(op.place);
    else waiting.delete(op.place);
  };

  const stops = [
    store.listen((commit) => {
      for (const change of commit) {
        if (change.table !== "outbox") continue;
        if ("put" in change) note(change.put);
        else if (isRange(change.remove)) waiting.clear();
        else waiting.delete(change.remove as number);
      }
      consider();
    }),
    ports.page.listen((event) => {
      const isGoing = event === "hidden" || event === "pagehide" || event === "freeze" || event === "offline";
      if (isGoing && waiting.size > 0) ask();
    }),
    changes.subscribe(consider),
  ];
  void store
    .read(["outbox"], readOutbox)
    .then((ops) => {
      for (const op of ops) note(op);
      consider();
    })
    .catch(ports.report);
  return () => {
    for (const stop of stops) stop();
  };
}
