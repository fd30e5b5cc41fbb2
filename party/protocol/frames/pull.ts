// pull: changes after a rev, never answered by a snapshot; or, in a workspace room, the next page of heads.
import * as v from "valibot";
import { rev, tally } from "../entities/base.ts";
import { pageBytes, q } from "./base.ts";

export const pull = v.object({
  t: v.literal("pull"),
  q,
  since: v.exactOptional(rev),
  bytes: pageBytes,
  /** The heads counter last known; answered by a `heads` frame. */
  heads: v.exactOptional(tally),
});
export type Pull = v.InferOutput<typeof pull>;
