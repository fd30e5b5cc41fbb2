// snapshot: the newest messages of a channel, for a replica that holds nothing, or is of another epoch or far behind.
import * as v from "valibot";
import { rev, seq } from "../entities/base.ts";
import { entityList } from "../entities/entity.ts";
import { q } from "./base.ts";

export const snapshot = v.object({
  t: v.literal("snapshot"),
  q,
  head: rev,
  epoch: v.string(),
  entities: entityList,
  /** The oldest place in it, or null in an empty channel. */
  oldest: v.nullable(seq),
  /** What the client holds is not continued by this ([SY4]). */
  reset: v.boolean(),
});
export type Snapshot = v.InferOutput<typeof snapshot>;
