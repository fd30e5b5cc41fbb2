// channel.prefs: how a channel stands in one's own sidebar and when it may notify.
import * as v from "valibot";
import { notificationLevel } from "../entities/my-state.ts";
import { channelId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { channelPrefsReducer } from "./reducers/channel-prefs.ts";

export const args = v.object({
  channel: channelId,
  level: v.exactOptional(notificationLevel),
  starred: v.exactOptional(v.boolean()),
  muted: v.exactOptional(v.boolean()),
  section: v.exactOptional(v.pipe(v.string(), v.maxLength(60))),
});

export const channelPrefs = defineOp("channel.prefs", "workspace", args, channelPrefsReducer);
