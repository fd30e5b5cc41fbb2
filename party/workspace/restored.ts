// A channel's room that an operator restored: what was read beyond the place it was restored to is read no more ([SV2]),
// and what a device that hasn't heard of it still says about places there is taken for what is left of them ([OP17]).
import type { Entity, Unstamped } from "#protocol/entities/entity.ts";
import type { Read } from "#protocol/entities/my-state.ts";
import type { Restored } from "#protocol/frames/welcome.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { STAMPS_MAX } from "#protocol/limits.ts";
import { asEntity, entityRow } from "../engine/keys.ts";
import type { OpCall } from "../engine/kind.ts";
import type { Memory, Room } from "../engine/room.ts";
import { type HeadBook, setRevOf } from "./heads.ts";
import type { WorkspaceKind } from "./kind.ts";
import type { WorkspaceOwn } from "./state.ts";

const READS = entityRow("read:");
/** Rows looked at in one go: everybody's of all channels are kept together. */
const LISTED_AT_ONCE = 1_000;

/** Only inside `alone`, before the head that says so is stored: what fails on the way comes again with the bump. */
export async function setBack(
  room: Room<WorkspaceOwn>,
  memory: Memory<WorkspaceOwn>,
  kind: WorkspaceKind,
  channel: ChannelId,
  { seq }: Restored,
): Promise<void> {
  const beyond = await readsBeyond(room, channel, seq);
  for (let start = 0; start < beyond.length; start += STAMPS_MAX) {
    const reads = beyond.slice(start, start + STAMPS_MAX);
    await room.commit(memory, kind.stamping(reads, memory.stem.head + 1));
  }
}

async function readsBeyond(
  { host }: Room<WorkspaceOwn>,
  channel: ChannelId,
  seq: number,
): Promise<readonly Unstamped<Read>[]> {
  const beyond: Unstamped<Read>[] = [];
  const isBeyond = (read: Entity | undefined): read is Read =>
    read?.kind === "read" && read.channel === channel && read.seq > seq;
  for (let start = READS; ;) {
    const page = await host.storage.list({ prefix: READS, start, limit: LISTED_AT_ONCE });
    for (const read of [...page.values()].map(asEntity).filter(isBeyond)) {
      const { kind, id, user, root } = read;
      beyond.push({ kind, id, user, channel, ...(root === undefined ? {} : { root }), seq, setRev: setRevOf(read) });
    }
    const last = [...page.keys()].at(-1);
    if (last === undefined || page.size < LISTED_AT_ONCE) return beyond;
    start = `${last}\0`;
  }
}

/** What a read.set makes, where it may speak of a history that is gone; a page of version 7 doesn't say of which. */
export function withinHistory(
  book: HeadBook,
  { op, lookup }: OpCall,
  made: readonly Unstamped[],
): readonly Unstamped[] {
  if (op.op !== "read.set") return made;
  const { channel, epoch } = op.args;
  const head = book.get(channel);
  if (head?.restored === undefined || epoch === head.restored.epoch) return made;
  const last = epoch === undefined ? head.seq : head.restored.seq;
  return made.flatMap((one) => {
    if (one.kind !== "read" || one.seq <= last) return [one];
    const isNews = one.unreadRev !== undefined || last > (lookup("read", one.id)?.seq ?? 0);
    return isNews ? [{ ...one, seq: last }] : [];
  });
}
