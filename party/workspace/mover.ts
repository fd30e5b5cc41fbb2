// Stamps the read positions that posts moved ([SV2]), as a step of the room's own work. Nothing waits for it: no timer
// keeps the room awake, and whoever never looks costs no row.
import type { UserId } from "#protocol/ids.ts";
import type { Memory, Room } from "../engine/room.ts";
import type { WorkspaceKind } from "./kind.ts";
import type { HeadRow, WorkspaceOwn } from "./state.ts";

/** More than these in one row are stamped at once, so that it stays a row. */
const MOVES_IN_ROW_MAX = 64;

/** Only inside `alone`. Of one person, or of all; a step's worth at a time. */
export async function stampMoves(
  room: Room<WorkspaceOwn>,
  memory: Memory<WorkspaceOwn>,
  kind: WorkspaceKind,
  user?: UserId,
): Promise<void> {
  for (let reads = kind.book.due(user); reads.length > 0; reads = kind.book.due(user)) {
    await room.commit(memory, kind.stamping(reads, memory.stem.head + 1));
  }
  room.broadcast.soon(memory);
}

/** After a bump was stored. Another device of the author's that listens hears of it within half a minute. */
export async function afterBump(
  room: Room<WorkspaceOwn>,
  memory: Memory<WorkspaceOwn>,
  kind: WorkspaceKind,
  { moves }: Pick<HeadRow, "moves">,
): Promise<void> {
  if (moves.length === 0) return;
  if (moves.length > MOVES_IN_ROW_MAX) return stampMoves(room, memory, kind);
  const authors = new Map<UserId, Set<string>>(moves.map(({ user }) => [user, new Set()]));
  for (const { state } of room.host.connections()) if (state) authors.get(state.user)?.add(state.device);
  const listening = Math.max(...[...authors.values()].map(({ size }) => size));
  // A lone device says itself what it has read, and the net is for when it doesn't.
  if (listening > 1) await room.wake.shortly();
  else if (listening > 0) await room.wake.asNet();
}
