// message.edit: a new text. Edited elsewhere since `base`: the later one wins, the room keeps the earlier version.
import * as v from "valibot";
import { rev } from "../entities/base.ts";
import { messageId, userId } from "../ids.ts";
import { MENTIONS_MAX } from "../limits.ts";
import { messageText } from "../text.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({
  id: messageId,
  text: v.pipe(messageText, v.minLength(1)),
  /** The rev of the message that was edited. */
  base: rev,
  mentions: v.exactOptional(v.pipe(v.array(userId), v.maxLength(MENTIONS_MAX))),
});

export const messageEditReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "message", id }],
  apply: (args, ctx, lookup) => {
    const message = lookup("message", args.id);
    if (!message || message.deleted || message.text === args.text) return [];
    const { mentions: _, ...rest } = message;
    const mentions = args.mentions?.length ? { mentions: args.mentions } : {};
    return [{ ...rest, ...mentions, text: args.text, editedAt: ctx.at, edits: (message.edits ?? 0) + 1 }];
  },
});

export const messageEdit = defineOp("message.edit", "channel", args, messageEditReducer);
