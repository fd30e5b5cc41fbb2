// The ops of each room by name: the one list that rooms, overlay and schemas go by.
import type * as v from "valibot";
import { channelArchive } from "./channel-archive.ts";
import { channelCreate } from "./channel-create.ts";
import { channelJoin } from "./channel-join.ts";
import { channelLeave } from "./channel-leave.ts";
import { channelMembers } from "./channel-members.ts";
import { channelPrefs } from "./channel-prefs.ts";
import { channelUpdate } from "./channel-update.ts";
import { draftSet } from "./draft-set.ts";
import { memberActivate } from "./member-activate.ts";
import { memberRole } from "./member-role.ts";
import { memberUpdate } from "./member-update.ts";
import { messageDelete } from "./message-delete.ts";
import { messageEdit } from "./message-edit.ts";
import { messagePin } from "./message-pin.ts";
import { messagePost } from "./message-post.ts";
import { messageReact } from "./message-react.ts";
import { readSet } from "./read-set.ts";

export const CHANNEL_OPS = {
  "message.post": messagePost,
  "message.edit": messageEdit,
  "message.delete": messageDelete,
  "message.react": messageReact,
  "message.pin": messagePin,
} as const;

export const WORKSPACE_OPS = {
  "channel.create": channelCreate,
  "channel.update": channelUpdate,
  "channel.archive": channelArchive,
  "channel.join": channelJoin,
  "channel.leave": channelLeave,
  "channel.members": channelMembers,
  "channel.prefs": channelPrefs,
  "member.update": memberUpdate,
  "member.role": memberRole,
  "member.activate": memberActivate,
  "read.set": readSet,
  "draft.set": draftSet,
} as const;

export const OPS = { ...CHANNEL_OPS, ...WORKSPACE_OPS } as const;

export type ChannelOpName = keyof typeof CHANNEL_OPS;
export type WorkspaceOpName = keyof typeof WORKSPACE_OPS;
export type OpName = keyof typeof OPS;
/** The arguments of an op, as stored and sent. */
export type OpArgs<Name extends OpName> = v.InferOutput<(typeof OPS)[Name]["args"]>;

/** Any op with its arguments. */
export type AnyOp = { [Name in OpName]: { readonly op: Name; readonly args: OpArgs<Name> } }[OpName];

export function isOpName(name: string): name is OpName {
  return Object.hasOwn(OPS, name);
}
