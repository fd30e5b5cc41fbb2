// pull: changes after a rev, never answered by a snapshot; or, in a workspace room, the next page of heads.
import * as v from "valibot";
import { rev, tally } from "../entities/base.ts";
import { pageBytes, q } from "./base.ts";

export const pull = v.pipe(
  v.object({
    t: v.literal("pull"),
    q,
    since: v.exactOptional(rev),
    bytes: pageBytes,
    /** The heads counter last known; answered by a `heads` frame. */
    heads: v.exactOptional(tally),
  }),
  v.check(({ since, heads }) => since !== undefined || heads !== undefined, "has since or heads"),
);
export type Pull = v.InferOutput<typeof pull>;
