// The course of an op in the outbox: held back, numbered, refused.
import { DRAFT_EVERY_MS, READ_EVERY_MS } from "#protocol/limits.ts";
import { putOp } from "./outbox.ts";
import type { OutboxRecord } from "./schema.ts";
import type { Refusal } from "./snapshots.ts";
import type { WriteTx } from "./tx.ts";

/** Nothing is held back longer, whatever the clock says. */
const HELD_BACK_MAX_MS = Math.max(READ_EVERY_MS, DRAFT_EVERY_MS);

/** How long it still waits for a later one to replace it, ms. A clock that was turned back since holds nothing. */
export function heldBackMs({ dueAt = 0 }: OutboxRecord, now: number): number {
  const ms = Math.max(0, dueAt - now);
  return ms > HELD_BACK_MAX_MS ? 0 : ms;
}

/** Numbered and unanswered, lowest first. */
export function numbered(ops: readonly OutboxRecord[]): (OutboxRecord & { readonly n: number })[] {
  return ops
    .filter((op): op is OutboxRecord & { readonly n: number } => op.n !== undefined)
    .toSorted((a, b) => a.n - b.n);
}

/** Keeps it for the person, with the reason; its number, if it had one, is done with. */
export function refuseOp(tx: WriteTx, op: OutboxRecord, refusal: Refusal): OutboxRecord {
  const { n: _n, device: _device, skip: _skip, ...kept } = op;
  return putOp(tx, { ...kept, refusal });
}
