// What every entity on the wire has: flat, `{kind, id, rev, …fields}`. A tombstone is `deleted: true` ([RV3]).
import * as v from "valibot";

export const rev = v.pipe(v.number(), v.integer(), v.minValue(0));
export const seq = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Milliseconds since 1970 UTC. */
export const instant = v.pipe(v.number(), v.integer(), v.minValue(0));
export const tally = v.pipe(v.number(), v.integer(), v.minValue(0));
