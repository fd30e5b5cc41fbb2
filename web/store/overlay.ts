// Confirmed entities with pending ops applied: the same reducers as in the room, run over what this device knows. Pure.
import type { Entities, Entity, Kind, Unstamped } from "#protocol/entities/entity.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Lookup, OpContext } from "#protocol/ops/op.ts";
import { REDUCERS } from "#protocol/ops/reducers/all.ts";
import type { OutboxRecord } from "./schema.ts";

export interface Touch {
  readonly key: string;
  readonly op: OutboxRecord;
}

export interface Overlay {
  /** `kind/id` → its state with all pending ops applied; only what they change. */
  readonly changed: ReadonlyMap<string, Entity>;
  /** What each op changed, in the order of ops. */
  readonly touches: readonly Touch[];
}

export function entityKey(kind: Kind, id: string): string {
  return `${kind}/${id}`;
}

/** Refused ops show no effect, except those that make something: it stays in sight with its reason, and counts nowhere. */
function isShown(op: OutboxRecord, id: string): boolean {
  return op.refusal === undefined || (op.op === "message.post" && op.args.id === id) || op.op === "channel.create";
}

/** @param pending the ops of one room, in the order written */
export function overlay(confirmed: Lookup, pending: readonly OutboxRecord[], me: UserId): Overlay {
  const changed = new Map<string, Entity>();
  const touches: Touch[] = [];
  const lookup: Lookup = <K extends Kind>(kind: K, id: string): Entities[K] | undefined =>
    (changed.get(entityKey(kind, id)) as Entities[K] | undefined) ?? confirmed(kind, id);
  for (const op of pending) {
    for (const made of apply(op, { actor: me, at: op.at, rev: 0, seq: 0 }, lookup)) {
      if (!isShown(op, made.id)) continue;
      const key = entityKey(made.kind, made.id);
      const rev = lookup(made.kind, made.id)?.rev ?? 0;
      changed.set(key, { ...made, rev });
      touches.push({ key, op });
    }
  }
  return { changed, touches };
}

type Apply = (args: OutboxRecord["args"], ctx: OpContext, lookup: Lookup) => readonly Unstamped[];

function apply(op: OutboxRecord, ctx: OpContext, lookup: Lookup): readonly Unstamped[] {
  // An op stored by a newer build may be unknown to this one: it waits without being shown.
  const known = REDUCERS[op.op] as { readonly apply: Apply } | undefined;
  return known?.apply(op.args, ctx, lookup) ?? [];
}
