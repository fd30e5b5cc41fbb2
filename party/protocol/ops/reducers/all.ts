// The reducers by name, without the schemas: what the overlay runs.
import { channelArchiveReducer } from "./channel-archive.ts";
import { channelCreateReducer } from "./channel-create.ts";
import { channelJoinReducer } from "./channel-join.ts";
import { channelLeaveReducer } from "./channel-leave.ts";
import { channelMembersReducer } from "./channel-members.ts";
import { channelPrefsReducer } from "./channel-prefs.ts";
import { channelUpdateReducer } from "./channel-update.ts";
import { draftSetReducer } from "./draft-set.ts";
import { memberActivateReducer } from "./member-activate.ts";
import { memberRoleReducer } from "./member-role.ts";
import { memberUpdateReducer } from "./member-update.ts";
import { messageDeleteReducer } from "./message-delete.ts";
import { messageEditReducer } from "./message-edit.ts";
import { messagePinReducer } from "./message-pin.ts";
import { messagePostReducer } from "./message-post.ts";
import { messageReactReducer } from "./message-react.ts";
import { readSetReducer } from "./read-set.ts";
import type { OpName } from "../all.ts";

export const REDUCERS = {
  "message.post": messagePostReducer,
  "message.edit": messageEditReducer,
  "message.delete": messageDeleteReducer,
  "message.react": messageReactReducer,
  "message.pin": messagePinReducer,
  "channel.create": channelCreateReducer,
  "channel.update": channelUpdateReducer,
  "channel.archive": channelArchiveReducer,
  "channel.join": channelJoinReducer,
  "channel.leave": channelLeaveReducer,
  "channel.members": channelMembersReducer,
  "channel.prefs": channelPrefsReducer,
  "member.update": memberUpdateReducer,
  "member.role": memberRoleReducer,
  "member.activate": memberActivateReducer,
  "read.set": readSetReducer,
  "draft.set": draftSetReducer,
} as const satisfies Record<OpName, unknown>;
