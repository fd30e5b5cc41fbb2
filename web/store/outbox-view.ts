// What waits and what was refused, in the order written. Read positions and synced drafts are left out.
import { deliveryOf } from "./channels-view.ts";
import type { Liveness } from "./liveness.ts";
import { waits } from "./needs.ts";
import { channelOf } from "./op-channel.ts";
import { isCounted, isOpen } from "./outbox.ts";
import type { Replica } from "./replica.ts";
import type { Delivery, OutboxItem, OutboxSnapshot } from "./snapshots.ts";
import { derive, together } from "./source.ts";
import type { Loaded, View } from "./view.ts";

export function outboxView(replica: Replica, liveness: Liveness): View<Loaded<OutboxSnapshot>> {
  return derive(
    together(replica, liveness),
    () => `${replica.version()}.${liveness.version()}`,
    (before): Loaded<OutboxSnapshot> => {
      if (!replica.isLoaded()) return before ?? { state: "loading" };
      const waiting = waits(replica.outbox());
      const items = replica
        .outbox()
        .filter(isCounted)
        .map((op): OutboxItem => {
          const channel = channelOf(op);
          const entity = channel === null ? undefined : replica.get("channel", channel);
          const waitsFor = waiting.get(op.id);
          return {
            op: op.id,
            change: { op: op.op, args: op.args } as OutboxItem["change"],
            channel,
            channelName: entity === undefined || entity.deleted ? null : entity.name,
            writtenAt: op.at,
            delivery: deliveryOf(op, liveness) as Exclude<Delivery, "sent">,
            ...(op.refusal === undefined ? {} : { refusal: op.refusal }),
            ...(waitsFor === undefined ? {} : { waitsFor }),
            isOpen: isOpen(op),
          };
        });
      const refusedCount = items.filter(({ delivery }) => delivery === "refused").length;
      return { state: "ready", value: { items, waitingCount: items.length - refusedCount, refusedCount } };
    },
  );
}
