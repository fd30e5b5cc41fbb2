// What rows of a channel's messages are made by, beside the messages: who looks, and what they may do there.
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { deliveryOf, permsIn } from "./channels-view.ts";
import type { Liveness } from "./liveness.ts";
import type { Replica } from "./replica.ts";
import type { WorkspaceRef } from "./snapshots.ts";
import type { RowContext } from "./timeline-rows.ts";
import { roleOf } from "./workspace-view.ts";

export interface RowDeps {
  readonly replica: Replica;
  readonly liveness: Liveness;
  readonly ref: () => WorkspaceRef;
  readonly now: () => number;
}

export function rowContext(
  { replica, liveness, ref, now }: RowDeps,
  channel: ChannelId,
  messageOf: (id: MessageId) => Message | undefined,
): RowContext {
  const can = permsIn(replica, channel, roleOf(replica, ref()));
  const entity = replica.get("channel", channel);
  const isOpen = entity !== undefined && !entity.deleted && entity.archivedAt === undefined;
  const mayWrite = isOpen && can.includes("write");
  return {
    me: replica.me,
    manages: can.includes("manage"),
    mayWrite,
    mayPin: mayWrite && can.includes("pin"),
    editWindowMs: replica.get("workspace", replica.workspace)?.policy.editWindowMs ?? null,
    now: now(),
    messageOf,
    deliveryOf: (op) => deliveryOf(op, liveness),
  };
}
