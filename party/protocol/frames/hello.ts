// hello: the first frame on a connection. Nothing is answered before it ([RM1]).
import * as v from "valibot";
import { rev, tally } from "../entities/base.ts";
import { deviceId } from "../ids.ts";
import { NEWEST_DEFAULT, NEWEST_MAX, TOKEN_MAX_CHARS } from "../limits.ts";
import { pageBytes, q } from "./base.ts";

export const hello = v.object({
  t: v.literal("hello"),
  q,
  v: v.pipe(v.number(), v.integer()),
  token: v.pipe(v.string(), v.maxLength(TOKEN_MAX_CHARS)),
  device: deviceId,
  /** The cursor; null for a replica that holds nothing. */
  since: v.nullable(rev),
  epoch: v.exactOptional(v.string()),
  /** How many messages a snapshot should hold. */
  newest: v.optional(v.pipe(tally, v.maxValue(NEWEST_MAX)), NEWEST_DEFAULT),
  /** Of the snapshot or changes that follow. */
  bytes: pageBytes,
  /** The heads counter last known, in a workspace room. */
  heads: v.exactOptional(tally),
});
export type Hello = v.InferOutput<typeof hello>;
