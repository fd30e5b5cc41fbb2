// A numbered op as the room is told of it, over a socket or HTTP.
import { writeFrame } from "#protocol/frame.ts";
import type { UpFrame } from "#protocol/up.ts";
import type { NumberedOp } from "./answers.ts";

/** Less than that may be the line's doing rather than the clock's. */
const CLOCKS_APART_MS = 60_000;

/**
 * When it was written goes by the room's clock: else a device whose clock is slow would say of every message that it came
 * late. The room itself takes no time later than its own.
 *
 * @param aheadMs how far the room's clock is ahead of this device's
 */
export function opFrame({ n, id, at, args, op, skip, maybeDelivered }: NumberedOp, aheadMs: number): UpFrame {
  if (skip !== undefined) return { t: "skip", n, id };
  return { t: "op", n, id, op, args, at: aheadMs > CLOCKS_APART_MS ? at + aheadMs : at, again: maybeDelivered };
}

/** What it is on the line; bytes. */
export function frameBytes(op: NumberedOp, aheadMs: number): number {
  return new TextEncoder().encode(writeFrame(opFrame(op, aheadMs))).length;
}
