// The channels of a workspace as far as links to their rooms are concerned, read off the replica.
import { membershipId } from "#protocol/entities/keys.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { waits } from "../store/needs.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
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
