// What was sent and isn't on disk yet, where the disk takes its time: it stands in no outbox, and waits all the same.
import type { ChannelRow, OutboxItem, OutboxSnapshot } from "../store/snapshots.ts";
import { useSent } from "./composer/use-unfinished.ts";
import type { Unfinished } from "./composer/unfinished.ts";
import { usePlace, useView } from "./services.ts";

/** A text, and the channel that it was written in. */
export interface SavingText {
  readonly words: Pick<Unfinished, "id" | "text">;
  readonly row: ChannelRow;
}

/**
 * @param rows of the workspace on screen
 * @param items what is stored already: a text is let go of a moment later
 */
export function beingSaved(
  sent: readonly Pick<Unfinished, "id" | "text" | "of">[],
  rows: readonly ChannelRow[],
  items: readonly Pick<OutboxItem, "change">[],
): readonly SavingText[] {
  const isStored = (message: string): boolean =>
    items.some(({ change: { op, args } }) => op === "message.post" && args.id === message);
  return sent.flatMap((words) => {
    const row = rows.find(({ id }) => id === words.of);
    return row === undefined || isStored(words.id) ? [] : [{ words, row }];
  });
}

export function useBeingSaved(): readonly SavingText[] {
  const { client } = usePlace();
  const channels = useView(client.channels);
  const outbox = useView(client.outbox);
  const rows = channels.state === "ready" ? channels.value.channels : [];
  return beingSaved(useSent(), rows, outbox.state === "ready" ? outbox.value.items : []);
}

/** What is stored and waits, and what is still being saved; and what was refused. */
export function useWaiting(): Pick<OutboxSnapshot, "waitingCount" | "refusedCount"> {
  const outbox = useView(usePlace().client.outbox);
  const saving = useBeingSaved().length;
  const { waitingCount = 0, refusedCount = 0 } = outbox.state === "ready" ? outbox.value : {};
  return { waitingCount: waitingCount + saving, refusedCount };
}
