// What waits and what was refused, in the order written. Read positions and synced drafts are left out.
import type { Entities } from "#protocol/entities/entity.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { isAdmin } from "#protocol/roles.ts";
import { deliveryOf, isJoined } from "./channels-view.ts";
import { isDeletedBehind } from "./deleted-behind.ts";
import type { Liveness } from "./liveness.ts";
import { waits } from "./needs.ts";
import { channelOf } from "./op-channel.ts";
import { mayStand } from "./open-again.ts";
import { isCounted, isOpen } from "./outbox.ts";
import { draftText, type Replica } from "./replica.ts";
import { workspaceRoom } from "./rooms.ts";
import type { OutboxRecord } from "./schema.ts";
import type { Delivery, OutboxDraft, OutboxItem, OutboxSnapshot } from "./snapshots.ts";
import { derive, together } from "./source.ts";
import type { Loaded, View } from "./view.ts";

export function outboxView(replica: Replica, liveness: Liveness): View<Loaded<OutboxSnapshot>> {
  return derive(
    together(replica, liveness),
    () => `${replica.version()}.${liveness.version()}`,
    (before): Loaded<OutboxSnapshot> => {
      if (!replica.isLoaded()) return before ?? { state: "loading" };
      const waiting = waits(replica.outbox());
      // Else it may only not be known here yet that it is archived.
      const isLive = liveness.connection().state === "live";
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
            ...(isLive && op.refusal?.code === "archived" && isOpenNow(entity) ? { isReasonPast: true } : {}),
            ...(waitsFor === undefined ? {} : { waitsFor }),
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

function isOpenNow(channel: Entities["channel"] | undefined): boolean {
  return channel !== undefined && !channel.deleted && channel.archivedAt === undefined;
}

/** Drafts where there is no composer any more to show them. Not while the directory still comes: it may bring their channels. */
function homeless(replica: Replica): readonly OutboxDraft[] {
  const directory = replica.rooms.get(workspaceRoom(replica.workspace));
  if (directory?.cursor == null || directory.isSweeping) return [];
  const synced = replica.list("draft").filter((draft) => !draft.deleted);
  const composers = new Map(
    [...synced, ...replica.drafts.values()].map((of) => [`${of.channel}.${of.root ?? ""}`, of]),
  );
  return [...composers.values()].flatMap(({ channel, root }) => {
    const why = closedFor(replica, channel);
    const text = draftText(replica, channel, root === "" ? undefined : root);
    if (why === null || text.trim() === "") return [];
    const entity = replica.get("channel", channel);
    const channelName = entity === undefined || entity.deleted ? null : entity.name;
    return [{ channel, root: root === undefined || root === "" ? null : root, channelName, text, why }];
  });
}

function closedFor(replica: Replica, channel: ChannelId): OutboxDraft["why"] | null {
  const entity = replica.get("channel", channel);
  if (entity === undefined || entity.deleted) return "gone";
  if (entity.archivedAt !== undefined) return "archived";
  if (!isJoined(replica, channel)) return "not-joined";
  const role = replica.get("member", replica.me)?.role;
  return entity.posting === "admins" && role !== undefined && !isAdmin(role) ? "admins-only" : null;
}
