// What the filling in the background goes by, read off the replica and the rooms at work.
import type { RoomName } from "#protocol/room-name.ts";
import { waits } from "../store/needs.ts";
import { isCounted } from "../store/outbox.ts";
import type { Replica } from "../store/replica.ts";
import { emptyRoom } from "../store/rooms.ts";
import type { FillRoom } from "./backfill.ts";
import type { ChannelCandidate } from "./link-candidates.ts";
import type { RoomRunner } from "./room-runner.ts";

/** Of a channel of which the workspace's room has said nothing yet. */
const UNKNOWN_HEAD = { rev: 0, seq: 0, at: 0 };

/** The channels one is in, as they stand. */
export function fillRoomsOf(
  replica: Replica,
  candidates: readonly ChannelCandidate[],
  linked: ReadonlySet<RoomName>,
  runners: ReadonlyMap<RoomName, RoomRunner>,
): Omit<FillRoom, "days" | "pulledAt" | "restsUntil">[] {
  return candidates
    .filter(({ isJoined }) => isJoined)
    .map(({ room, channel }) => ({
      room: replica.rooms.get(room) ?? emptyRoom(room),
      head: replica.heads.get(channel) ?? UNKNOWN_HEAD,
      link: !linked.has(room) ? "none" : runners.get(room)?.isCaughtUp() === true ? "up" : "wanted",
    }));
}

/** Something newer than history is under way: what was missed, or what was written. */
export function isOwed(replica: Replica, runners: Iterable<RoomRunner>): boolean {
  const isBehind = (runner: RoomRunner): boolean => runner.link().state.name === "live" && !runner.isCaughtUp();
  const waiting = waits(replica.outbox());
  return (
    [...runners].some(isBehind) ||
    replica.outbox().some((op) => isCounted(op) && op.refusal === undefined && !waiting.has(op.id))
  );
}
