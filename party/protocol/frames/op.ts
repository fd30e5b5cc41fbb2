// op: change something; skip: use up the number of an op that the room keeps failing on ([OP6]).
import * as v from "valibot";
import { instant } from "../entities/base.ts";
import { opId } from "../ids.ts";
import { opNumber } from "./base.ts";

/** `args` are checked against the op's own schema by the room, so that a bad one uses its number up ([OP2]). */
export const op = v.object({
  t: v.literal("op"),
  n: opNumber,
  id: opId,
  op: v.string(),
  args: v.unknown(),
  /** The device's clock when it was written. */
  at: instant,
  /** It may have been done under another number, of this device or another one that its sender had ([OP3]). */
  again: v.optional(v.boolean()),
});
export type OpFrame = v.InferOutput<typeof op>;

export const skip = v.object({ t: v.literal("skip"), n: opNumber, id: opId });
export type SkipFrame = v.InferOutput<typeof skip>;
