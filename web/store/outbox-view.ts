// What waits and what was refused, in the order written. Read positions and synced drafts are left out.
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { isAllowedNow } from "./allowed-now.ts";
import { apartBy } from "./apart.ts";
import { deliveryOf } from "./channels-view.ts";
import { isDeletedBehind } from "./deleted-behind.ts";
import { closedFor, homeless } from "./homeless.ts";
import type { Liveness } from "./liveness.ts";
import { waits } from "./needs.ts";
import { channelOf } from "./op-channel.ts";
import { isCounted, isOpen } from "./outbox.ts";
import type { Replica } from "./replica.ts";
import type { OutboxRecord } from "./schema.ts";
import type { Delivery, OutboxItem, OutboxSnapshot, RoomStatus } from "./snapshots.ts";
import { derive, together } from "./source.ts";
import type { Loaded, View } from "./view.ts";
import { mayStand } from "./unseen.ts";

/** Of a room that nothing goes to for now. */
const AWAY: ReadonlySet<RoomStatus["link"]> = new Set(["connecting", "waiting", "refused"]);

type RoomLink = Pick<RoomStatus, "link"> & { readonly room: RoomName };

/** @param links of the rooms that are to be linked now, as far as who leads has told */
export function outboxView(
  replica: Replica,
  liveness: Liveness,
  links: () => readonly RoomLink[] = () => [],
): View<Loaded<OutboxSnapshot>> {
  return derive(
    together(replica, liveness),
    () => `${replica.version()}.${liveness.version()}`,
    (before): Loaded<OutboxSnapshot> => {
      if (!replica.isLoaded()) return before ?? { state: "loading" };
      const waiting = waits(replica.outbox());
      // Else it may only not be known here yet that it is closed.
      const connection = liveness.connection();
      const isLive = connection.state === "live";
      const away = apartBy(connection) === null ? links().filter(({ link }) => AWAY.has(link)) : [];
      const edits = lastEdits(replica.outbox());
      const deletions = replica.outbox().filter(({ op }) => op === "message.delete");
      const items = replica
        .outbox()
        .filter(isCounted)
        .map((op): OutboxItem => {
          const channel = channelOf(op);
          const entity = channel === null ? undefined : replica.get("channel", channel);
          const waitsFor = waiting.get(op.id);
          const delivery = deliveryOf(op, liveness) as Exclude<Delivery, "sent">;
          const isOnItsWay = delivery === "sending";
          return {
            op: op.id,
            change: { op: op.op, args: op.args } as OutboxItem["change"],
            channel,
            channelName: entity === undefined || entity.deleted ? null : entity.name,
            writtenAt: op.at,
            delivery,
            ...(op.refusal === undefined ? {} : { refusal: op.refusal }),
            ...(op.refusal === undefined || op.op !== "message.post" ? {} : edits.get(op.args.id)),
            ...(op.op === "message.delete" ? wordsOf(op.took) : {}),
            ...(isLive && isPast(replica, op, channel) ? { isReasonPast: true } : {}),
            ...(waitsFor === undefined ? {} : { waitsFor }),
            ...(delivery === "queued" && away.some(({ room }) => room === op.room) ? { isRoomAway: true } : {}),
            mayTakeBack: mayTakeBack(deletions, op, isOnItsWay),
            ...(op.refusal === undefined && !isOnItsWay && (mayStand(op) || op.n !== undefined)
              ? { maybeDelivered: true }
              : {}),
          };
        });
      const refused = items.filter(({ delivery }) => delivery === "refused").length;
      const drafts = homeless(replica);
      return {
        state: "ready",
        value: {
          items,
          drafts,
          elsewhere: [],
          waitingCount: items.length - refused,
          refusedCount: refused + drafts.length,
          draftCount: drafts.length,
          isWhole: true,
        },
      };
    },
  );
}

function lastEdits(outbox: readonly OutboxRecord[]): ReadonlyMap<MessageId, { readonly editedText: string }> {
  return new Map(
    outbox.flatMap((op) =>
      op.op === "message.edit" && isOpen(op) ? [[op.args.id, { editedText: op.args.text }] as const] : [],
    ),
  );
}

/** A message that may stand is deleted behind it, unless it is so already; of what is being sent one hears in a moment. */
function mayTakeBack(deletions: readonly OutboxRecord[], op: OutboxRecord, isOnItsWay: boolean): boolean {
  if (op.op === "message.post") return op.refusal === undefined && !isOnItsWay && !isDeletedBehind(deletions, op);
  return isOpen(op) && !mayStand(op);
}

/** The last words on it that nobody else has. */
function wordsOf(took: readonly OutboxRecord[] = []): { readonly editedText?: string } {
  const last = took.findLast((op) => op.op === "message.post" || op.op === "message.edit");
  return last !== undefined && "text" in last.args ? { editedText: last.args.text } : {};
}

/** Whether its channel, which was closed to it then, is open by now, or one may do it by now. */
function isPast(replica: Replica, op: OutboxRecord, channel: ChannelId | null): boolean {
  if (op.refusal?.code === "forbidden") return isAllowedNow(replica, op, channel);
  if (op.refusal?.code !== "archived" || channel === null) return false;
  const why = closedFor(replica, channel);
  return why !== "archived" && why !== "gone";
}
