// The channels of a workspace as far as links to their rooms are concerned, read off the replica.
import { membershipId } from "#protocol/entities/keys.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { waits } from "../store/needs.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { RoomRunner } from "./room-runner.ts";
import type { Candidate } from "./links.ts";

export interface ChannelCandidate extends Candidate {
  readonly channel: ChannelId;
}

/** Of my membership in the room's channel, as the workspace's room knows it; 0 for none. */
export function membershipRevIn(replica: Replica, room: RoomName): number {
  const ref = parseRoomName(room);
  if (ref?.party !== "channel") return 0;
  return replica.confirmed("membership", membershipId(ref.channel, replica.me))?.rev ?? 0;
}

export function hasOpenOps(replica: Replica, room: RoomName): boolean {
  return replica.outbox().some((op) => op.room === room && op.refusal === undefined);
}

/**
 * Once there is word of my membership: what the room answers is of before that, or what it brought left the device when I
 * was out, and only a greeting brings it again.
 */
export function isOutdated(replica: Replica, { name, link }: RoomRunner): boolean {
  return link().state.name !== "live" || (replica.rooms.get(name)?.cursor ?? null) === null;
}

/**
 * The rev of my membership in the room's channel where the room may let me in, for all that is known: the workspace's
 * room says that I am in, or something waits to be sent. Null where neither is so, or I am let into the workspace no more.
 * While there may be word of it that isn't here, no two answers are the same.
 */
export function standingIn(replica: Replica, room: RoomName, directory: RoomRunner, now: number): number | null {
  const ref = parseRoomName(room);
  if (ref?.party !== "channel") return null;
  const membership = replica.confirmed("membership", membershipId(ref.channel, replica.me));
  const isIn = membership !== undefined && !membership.deleted;
  const mayBeIn = isIn || hasOpenOps(replica, room);
  const { name } = directory.link().state;
  if (!mayBeIn || name === "refused") return null;
  const isHeard = directory.isCaughtUp() || name === "signed-out";
  return isHeard ? (membership?.rev ?? 0) : -now;
}

/**
 * @param onScreen on any tab's
 * @param looked room → when it was last looked at, epoch ms
 */
export function candidatesOf(
  replica: Replica,
  onScreen: readonly ChannelId[],
  looked: Readonly<Record<string, number>>,
): readonly ChannelCandidate[] {
  const waiting = waits(replica.outbox());
  const pending = new Set(
    replica
      .outbox()
      .filter((op) => op.refusal === undefined && !waiting.has(op.id))
      .map(({ room }) => room),
  );
  // As the workspace's room knows them: a channel made here has no room before it does ([OP12]).
  const known = replica
    .list("channel")
    .filter(({ id, deleted }) => deleted !== true && replica.confirmed("channel", id) !== undefined)
    .map(({ id }) => id);
  // What waits for a channel out of sight is offered to its room all the same: the answer says why it can't go.
  const asked = [...pending].flatMap((room) => {
    const ref = parseRoomName(room);
    return ref?.party === "channel" ? [ref.channel] : [];
  });
  return [...new Set([...known, ...asked])].map((id) => {
    const room = channelRoom(replica.workspace, id);
    const membership = replica.confirmed("membership", membershipId(id, replica.me));
    return {
      room,
      channel: id,
      isOnScreen: onScreen.includes(id),
      isJoined: membership !== undefined && !membership.deleted,
      hasPending: pending.has(room),
      lookedAt: looked[room] ?? 0,
    };
  });
}
