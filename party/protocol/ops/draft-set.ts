// draft.set: an unsent text, the same on all of one's devices. Empty takes it away; what was written apart is joined.
import * as v from "valibot";
import { instant } from "../entities/base.ts";
import { channelId, messageId } from "../ids.ts";
import { DRAFT_MAX_CHARS } from "../limits.ts";
import { defineOp } from "./op.ts";
import { draftSetReducer } from "./reducers/draft-set.ts";

export const args = v.object({
  channel: channelId,
  root: v.exactOptional(messageId),
  text: v.pipe(v.string(), v.maxLength(DRAFT_MAX_CHARS)),
  /** What stood there as far as the writer knew; before version 6 nobody said. */
  over: v.exactOptional(v.pipe(v.string(), v.maxLength(DRAFT_MAX_CHARS))),
  /** Of the draft that goes with the message it became, where the room had confirmed it: no other is meant ([OP18]). */
  since: v.exactOptional(instant),
});

export const draftSet = defineOp("draft.set", "workspace", args, draftSetReducer);
