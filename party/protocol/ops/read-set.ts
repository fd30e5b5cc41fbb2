// read.set: one's read position in a channel or thread. Never backwards, unless by hand ([OP17]).
import * as v from "valibot";
import { rev, seq } from "../entities/base.ts";
import { myStateId } from "../entities/my-state.ts";
import { channelId, messageId } from "../ids.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({
  channel: channelId,
  root: v.exactOptional(messageId),
  seq,
  /** The rev of the cursor this device knew, 0 if none. */
  base: rev,
  /** Marked unread by hand from `seq` + 1 on. */
  unread: v.exactOptional(v.boolean()),
});

export const readSetReducer = defineReducer<typeof args>({
  reads: ({ channel, root }, { actor }) => [{ kind: "read", id: myStateId(actor, channel, root) }],
  apply: ({ channel, root, seq: upTo, base, unread }, ctx, lookup) => {
    const id = myStateId(ctx.actor, channel, root);
    const before = lookup("read", id);
    const next = {
      kind: "read" as const,
      id,
      user: ctx.actor,
      channel,
      ...(root === undefined ? {} : { root }),
      seq: upTo,
    };
    if (unread) return (before?.rev ?? 0) === base ? [{ ...next, unreadRev: ctx.rev }] : [];
    if (before?.unreadRev !== undefined && before.unreadRev > base) return [];
    return before !== undefined && upTo <= before.seq ? [] : [next];
  },
});

export const readSet = defineOp("read.set", "workspace", args, readSetReducer);
