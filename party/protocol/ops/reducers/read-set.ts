// What read.set makes of what there is.
import { myStateId } from "../../entities/keys.ts";
import { defineReducer } from "../op.ts";
import type { args } from "../read-set.ts";

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
