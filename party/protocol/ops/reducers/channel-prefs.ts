// What channel.prefs makes of what there is.
import { myStateId } from "../../entities/keys.ts";
import { defineReducer } from "../op.ts";
import { isAlike } from "../../alike.ts";
import type { args } from "../channel-prefs.ts";

export const channelPrefsReducer = defineReducer<typeof args>({
  reads: ({ channel }, { actor }) => [{ kind: "prefs", id: myStateId(actor, channel) }],
  apply: ({ channel, ...fields }, { actor }, lookup) => {
    const id = myStateId(actor, channel);
    const before = lookup("prefs", id) ?? { kind: "prefs" as const, id, user: actor, channel };
    const { starred, muted, ...rest } = { ...before, ...fields };
    // What is off isn't said, so that on and off again is what it was.
    const after = { ...rest, ...(starred ? { starred } : {}), ...(muted ? { muted } : {}) };
    return isAlike(before, after) ? [] : [after];
  },
});
