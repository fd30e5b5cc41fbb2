// message.edit: a new text. Edited elsewhere since `base`: the later one wins, the room keeps the earlier version.
import * as v from "valibot";
import { rev } from "../entities/base.ts";
import { messageId, userId } from "../ids.ts";
import { MENTIONS_MAX } from "../limits.ts";
import { messageText } from "../text-schema.ts";
import { defineOp } from "./op.ts";
import { messageEditReducer } from "./reducers/message-edit.ts";

export const args = v.object({
  id: messageId,
  text: v.pipe(messageText, v.minLength(1)),
  /** The rev of the message that was edited. */
  base: rev,
  mentions: v.exactOptional(v.pipe(v.array(userId), v.maxLength(MENTIONS_MAX))),
});

export const messageEdit = defineOp("message.edit", "channel", args, messageEditReducer);
