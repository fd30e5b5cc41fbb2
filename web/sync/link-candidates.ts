// The channels of a workspace as far as links to their rooms are concerned, read off the replica.
import type { ChannelId } from "#protocol/ids.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import { waits } from "../store/needs.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { Candidate } from "./links.ts";
import { isIn } from "./standing.ts";

export interface ChannelCandidate extends Candidate {
  readonly channel: ChannelId;
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
    return {
      room,
      channel: id,
      isOnScreen: onScreen.includes(id),
      isJoined: isIn(replica, room),
      hasPending: pending.has(room),
      lookedAt: looked[room] ?? 0,
    };
  });
}
