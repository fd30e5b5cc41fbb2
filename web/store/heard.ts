// Up to where a channel's newest messages are held without a hole. What came ahead of the cursor may stand behind one: the
// answer to my own post while what others wrote before it isn't here yet, or a page of what was missed, for what changed
// since it was written comes on a later one. Places are given without gaps ([RV4]), so a hole is a place that isn't held.
import type { Message } from "#protocol/entities/message.ts";
import { messageAt, messagesBetween } from "./messages.ts";
import { heardTo } from "./rooms.ts";
import type { RoomRecord } from "./schema.ts";
import type { ReadTx } from "./tx.ts";

const READ_AT_ONCE = 200;

/**
 * @param room as it stands with what came, which is stored
 * @param news what came
 * @param lastSeq the last place held with it
 */
export async function heardAfter(
  tx: ReadTx,
  room: RoomRecord,
  news: readonly Message[],
  lastSeq: number,
): Promise<number> {
  const { name, ranges, floor } = room;
  const first = Math.max(ranges.at(-1)?.from ?? 1, floor);
  // An older build may have left it behind another history.
  let to = Math.max(Math.min(heardTo(room), lastSeq), first - 1);
  // Mostly what came goes on from there, and nothing is read.
  for (const { seq } of news.toSorted((one, other) => one.seq - other.seq)) if (seq === to + 1) to = seq;
  // A hole was closed: what is held beyond it goes on as well.
  while (to < lastSeq && (await messageAt(tx, name, to + 1)) !== undefined) {
    for (const { seq } of await messagesBetween(tx, name, to + 1, to + READ_AT_ONCE)) if (seq === to + 1) to = seq;
  }
  return to;
}
