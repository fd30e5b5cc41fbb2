// message.post: a new message, or a reply, at the next place in the channel.
import * as v from "valibot";
import { messageId, userId } from "../ids.ts";
import { MENTIONS_MAX } from "../limits.ts";
import { instant } from "../entities/base.ts";
import { messageText } from "../text-schema.ts";
import { defineOp } from "./op.ts";
import { messagePostReducer } from "./reducers/message-post.ts";

export const args = v.object({
  id: messageId,
  text: v.pipe(messageText, v.minLength(1)),
  root: v.exactOptional(messageId),
  toChannel: v.exactOptional(v.boolean()),
  /** `since` of the draft that it was, where the workspace's room had confirmed it and it says just that. */
  draft: v.exactOptional(instant),
  mentions: v.exactOptional(v.pipe(v.array(userId), v.maxLength(MENTIONS_MAX))),
});

export const messagePost = defineOp("message.post", "channel", args, messagePostReducer);
