// What read.set makes of what there is.
import { myStateId } from "../../entities/keys.ts";
import type { Read } from "../../entities/my-state.ts";
import { defineReducer } from "../op.ts";
import type { args } from "../read-set.ts";

export const readSetReducer = defineReducer<typeof args>({
  reads: ({ channel, root }, { actor }) => [{ kind: "read", id: myStateId(actor, channel, root) }],
  apply: ({ channel, root, seq: upTo, base, unread }, ctx, lookup) => {
    const id = myStateId(ctx.actor, channel, root);
    const {
      rev = 0,
      setRev = rev,
      unreadRev = 0,
      markRev = unreadRev,
      seq = -1,
    }: Partial<Read> = lookup("read", id) ?? {};
    const next = {
      kind: "read" as const,
      id,
      user: ctx.actor,
      channel,
      ...(root === undefined ? {} : { root }),
      seq: upTo,
    };
    if (unread) return base >= setRev && base <= rev ? [{ ...next, unreadRev: ctx.rev }] : [];
    // What was read before the mark doesn't count either where a part was read behind it.
    return markRev > base || upTo <= seq ? [] : [markRev > 0 ? { ...next, markRev } : next];
  },
});
