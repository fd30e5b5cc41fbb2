// What message.edit makes of what there is.
import { defineReducer } from "../op.ts";
import type { args } from "../message-edit.ts";

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
