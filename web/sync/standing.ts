// Where I stand in a channel, as far as its room is concerned: whether it may let me in, read off the replica.
import { membershipId } from "#protocol/entities/keys.ts";
import type { Entities } from "#protocol/entities/entity.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import type { Replica } from "../store/replica.ts";
import type { Standing } from "./link-state.ts";
import type { RoomRunner } from "./room-runner.ts";

/** In the room's channel, as the workspace's room knows it; one that ended too. */
export function membershipIn(replica: Replica, room: RoomName): Entities["membership"] | undefined {
  const ref = parseRoomName(room);
  return ref?.party === "channel" ? replica.confirmed("membership", membershipId(ref.channel, replica.me)) : undefined;
}

export function isIn(replica: Replica, room: RoomName): boolean {
  const membership = membershipIn(replica, room);
  return membership !== undefined && !membership.deleted;
}

/** Whether anything waits for a room that wasn't refused. */
export function hasUndelivered(replica: Replica, room: RoomName): boolean {
  return replica.outbox().some((op) => op.room === room && op.refusal === undefined);
}

/**
 * Once there is word of my membership: what the room answers is of before that, or what it brought left the device when I
 * was out, and only a greeting brings it again.
 */
export function isOutdated(replica: Replica, { name, link }: RoomRunner): boolean {
  return link().state.name !== "live" || (replica.rooms.get(name)?.cursor ?? null) === null;
}

/** Null where the room won't let me in, for all that is known: the workspace's room doesn't say that I am in, and nothing waits. */
export function standingIn(replica: Replica, room: RoomName, directory: RoomRunner, now: number): Standing | null {
  const { name } = directory.link().state;
  const isChannel = parseRoomName(room)?.party === "channel";
  if (!isChannel || name === "refused" || !(isIn(replica, room) || hasUndelivered(replica, room))) return null;
  const rev = membershipIn(replica, room)?.rev ?? 0;
  // Signed out there is no more to be heard.
  return { rev, heardAt: name === "signed-out" ? now : directory.isCaughtUp() ? directory.heardAt() : null };
}
