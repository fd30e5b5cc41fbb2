// Fields that several frames share.
import * as v from "valibot";
import { tally } from "../entities/base.ts";
import { userId } from "../ids.ts";
import { PAGE_MAX_BYTES, PAGE_MIN_BYTES } from "../limits.ts";
import { perm, role } from "../role-schema.ts";

/** Echoed in the answer, so that a client tells its answers apart. */
export const q = v.exactOptional(tally);
/** How large a page may be, for a line on which the largest would take too long. Clamped to its range ([SY2]). */
export const pageBytes = v.exactOptional(v.pipe(v.number(), v.integer()));

export function pageBytesOf(asked: number | undefined): number {
  return Math.min(PAGE_MAX_BYTES, Math.max(PAGE_MIN_BYTES, asked ?? PAGE_MAX_BYTES));
}

/** An op's number, from 1. */
export const opNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

export const presenceState = v.picklist(["active", "away"]);
export type PresenceState = v.InferOutput<typeof presenceState>;

/** Who the room takes this connection for, and what it lets it do. */
export const you = v.object({ user: userId, role, can: v.array(perm) });
export type You = v.InferOutput<typeof you>;
