// read.set: one's read position in a channel or thread. Never backwards, unless by hand ([OP17]).
import * as v from "valibot";
import { rev, seq } from "../entities/base.ts";
import { channelId, messageId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { readSetReducer } from "./reducers/read-set.ts";

export const args = v.object({
  channel: channelId,
  root: v.exactOptional(messageId),
  seq,
  /** The rev of the cursor this device knew, 0 if none. */
  base: rev,
  /** The channel's history that `seq` is a place of, where the device knows it. */
  epoch: v.exactOptional(v.string()),
  /** Marked unread by hand from `seq` + 1 on. */
  unread: v.exactOptional(v.boolean()),
});

export const readSet = defineOp("read.set", "workspace", args, readSetReducer);
