// channel.prefs: how a channel stands in one's own sidebar and when it may notify.
import * as v from "valibot";
import { myStateId, notificationLevel } from "../entities/my-state.ts";
import { channelId } from "../ids.ts";
import { defineOp, defineReducer } from "./op.ts";
import { isUnchanged } from "./unchanged.ts";

const args = v.object({
  channel: channelId,
  level: v.exactOptional(notificationLevel),
  starred: v.exactOptional(v.boolean()),
  muted: v.exactOptional(v.boolean()),
  section: v.exactOptional(v.pipe(v.string(), v.maxLength(60))),
});

export const channelPrefsReducer = defineReducer<typeof args>({
  reads: ({ channel }, { actor }) => [{ kind: "prefs", id: myStateId(actor, channel) }],
  apply: ({ channel, ...fields }, { actor }, lookup) => {
    const id = myStateId(actor, channel);
    const before = lookup("prefs", id);
    const after = { ...(before ?? { kind: "prefs" as const, id, user: actor, channel }), ...fields };
    return isUnchanged(before, after) ? [] : [after];
  },
});

export const channelPrefs = defineOp("channel.prefs", "workspace", args, channelPrefsReducer);
