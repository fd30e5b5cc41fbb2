// A channel that is out of sight leaves the device; what was written for it and not sent stays in the Outbox ([RV5],
// [AU4]).
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId, MessageId, WorkspaceId } from "#protocol/ids.ts";
import { readEntities, removeEntity } from "../store/entities.ts";
import { changedBy, isDeletedBehind } from "../store/deleted-behind.ts";
import { dropMessages } from "../store/messages.ts";
import { dropOp } from "../store/drop-op.ts";
import { isCounted, readOutboxOf, removeOp } from "../store/outbox.ts";
import { refuseOp } from "../store/outbox-course.ts";
import { channelRoom, emptyRoom, workspaceRoom } from "../store/rooms.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { WriteTx } from "../store/tx.ts";
import { mayStand } from "../store/unseen.ts";
import { keepRefused, storeMerged, takenBack } from "./taken-back.ts";

/**
 * Directory entries and messages. What is on its way there is left to the room: whoever is put back at once is in again when
 * it is asked, and only its answer refuses anything.
 */
export async function dropChannel(tx: WriteTx, workspace: WorkspaceId, channel: ChannelId): Promise<void> {
  const directory = workspaceRoom(workspace);
  for (const record of await readEntities(tx, directory)) {
    const { entity } = record;
    const isOfIt =
      (entity.kind === "channel" && entity.id === channel) ||
      // My own end of it stays, as the last word; what others left would be out of date when I come back.
      (entity.kind === "membership" &&
        entity.channel === channel &&
        !(entity.deleted === true && entity.gone === true));
    if (isOfIt) removeEntity(tx, record);
  }
  dropReplica(tx, channelRoom(workspace, channel));
}

export function dropReplica(tx: WriteTx, room: RoomName): void {
  dropMessages(tx, room);
  tx.put("rooms", emptyRoom(room));
}

/**
 * Ops of a room that lets us in no longer stay with the reason. Those that have or had a number may have been delivered
 * all the same. A message that its author took back on its way is done with, and its deletion speaks for both.
 */
export async function closeRoom(tx: WriteTx, room: RoomName, { code, detail }: Failure): Promise<void> {
  const outbox = await readOutboxOf(tx, room);
  const taken = new Set<MessageId | null>();
  for (const op of outbox) {
    if (op.refusal !== undefined) continue;
    const isMaybe = op.n !== undefined || mayStand(op);
    const refusal = { code, detail, ...(isMaybe ? ({ maybeDelivered: true } as const) : {}) };
    if (op.op === "message.post" && isDeletedBehind(outbox, op)) {
      taken.add(op.args.id);
      storeMerged(tx, takenBack(outbox, refuseOp(tx, op, refusal)));
    } else if (taken.has(changedBy(op))) removeOp(tx, op);
    else if (op.op === "message.delete" && taken.has(op.args.id)) {
      // What it took were changes of that message.
      const { took: _, ...rest } = op;
      refuseOp(tx, rest, refusal);
    } else if (isCounted(op)) await keepRefused(tx, op, refusal, true);
    else await dropOp(tx, op);
  }
}
