// ack and refuse: the two answers to an op. `held` means: not now, send the same again.
import * as v from "valibot";
import { rev } from "../entities/base.ts";
import { entityList } from "../entities/entity.ts";
import { errorCode } from "../error-schema.ts";
import { opNumber } from "./base.ts";

export const ack = v.object({
  t: v.literal("ack"),
  n: opNumber,
  /** Null if it was without effect. */
  rev: v.nullable(rev),
  entities: entityList,
  /** With it the ack is also the `changes` from here to `rev` ([SY3]). */
  from: v.exactOptional(rev),
  /**
   * Where the number was to be skipped: whether the op itself had been done before, though the room couldn't say so
   * ([OP6]). Missing where that isn't known: from a room before version 7, or of a number from its time.
   */
  done: v.exactOptional(v.boolean()),
});
export type Ack = v.InferOutput<typeof ack>;

export const refuse = v.object({
  t: v.literal("refuse"),
  n: opNumber,
  code: errorCode,
  detail: v.string(),
  held: v.boolean(),
  /** Seconds, may be a fraction. */
  retryAfter: v.exactOptional(v.number()),
  /** The number the room expects next. */
  expected: v.exactOptional(opNumber),
});
export type Refuse = v.InferOutput<typeof refuse>;
export type Answer = Ack | Refuse;
