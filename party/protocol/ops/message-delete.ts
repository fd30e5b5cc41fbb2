// message.delete: the tombstone keeps place, author and replies; text, reactions and earlier versions go ([RV3]).
import * as v from "valibot";
import { messageId } from "../ids.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({ id: messageId });

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

export const messageDelete = defineOp("message.delete", "channel", args, messageDeleteReducer);
