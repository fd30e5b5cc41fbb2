// What message.delete makes of what there is.
import { defineReducer } from "../op.ts";
import type { args } from "../message-delete.ts";

export const messageDeleteReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "message", id }],
  apply: ({ id }, ctx, lookup) => {
    const message = lookup("message", id);
    if (!message || message.deleted) return [];
    const { kind, seq, author, createdAt, root, toChannel, replies } = message;
    const kept = {
      ...(root === undefined ? {} : { root }),
      ...(toChannel === undefined ? {} : { toChannel }),
      ...(replies === undefined ? {} : { replies }),
    };
    return [{ kind, id, seq, author, createdAt, ...kept, deleted: true, deletedAt: ctx.at }];
  },
});
