// changes: all that you may see that last changed in (from, to] ([SY1]).
import * as v from "valibot";
import { rev } from "../entities/base.ts";
import { entityList } from "../entities/entity.ts";
import { q } from "./base.ts";

export const changes = v.object({
  t: v.literal("changes"),
  q,
  from: rev,
  to: rev,
  entities: entityList,
  more: v.boolean(),
  /** What the client holds is to be dropped first. */
  reset: v.exactOptional(v.boolean()),
});
export type Changes = v.InferOutput<typeof changes>;
