// What is held ahead of the cursor: the ack of my own post brings it while what others wrote before it isn't here yet, and
// so does a page around a message newer than all that is held. Pure.
import type { Message } from "#protocol/entities/message.ts";
import type { RoomRecord } from "./schema.ts";

/**
 * @param lastSeq the last place held before
 * @param room as it stands with what came
 * @param isMore another page is to come: until then what changed last may be missing
 */
export function aheadAfter(
  lastSeq: number,
  { ahead: known = null, cursor }: Pick<RoomRecord, "ahead" | "cursor">,
  came: readonly Message[],
  isMore: boolean,
): NonNullable<RoomRecord["ahead"]> | null {
  const reached = cursor ?? 0;
  const ahead = known !== null && (isMore || known.rev > reached) ? known : null;
  const after = ahead?.after ?? lastSeq;
  const beyond = came.filter(({ seq, rev }) => seq > after && rev > reached);
  // Next to the last there is no room for a hole.
  if (beyond.length === 0 || (ahead === null && beyond.every(({ seq }, i) => seq === after + i + 1))) return ahead;
  return { after, rev: Math.max(ahead?.rev ?? 0, ...beyond.map(({ rev }) => rev)) };
}
