// message.delete: the tombstone keeps place, author and replies; text, reactions and earlier versions go ([RV3]).
import * as v from "valibot";
import { messageId } from "../ids.ts";
import { defineOp } from "./op.ts";

export const messageDelete = defineOp({
  name: "message.delete",
  room: "channel",
  args: v.object({ id: messageId }),
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
