// Branded ids and their parsers. Whoever creates an entity makes its id (UUIDv7), so that things can be created offline.
import * as v from "valibot";
import { PLAIN_ID, USER_ID } from "./id-forms.ts";
import { ID_MAX_CHARS } from "./limits.ts";

const id = (pattern: RegExp) => v.pipe(v.string(), v.minLength(1), v.maxLength(ID_MAX_CHARS), v.regex(pattern));

export const workspaceId = v.pipe(id(PLAIN_ID), v.brand("WorkspaceId"));
export type WorkspaceId = v.InferOutput<typeof workspaceId>;

export const channelId = v.pipe(id(PLAIN_ID), v.brand("ChannelId"));
export type ChannelId = v.InferOutput<typeof channelId>;

export const userId = v.pipe(id(USER_ID), v.brand("UserId"));
export type UserId = v.InferOutput<typeof userId>;

export const messageId = v.pipe(id(PLAIN_ID), v.brand("MessageId"));
export type MessageId = v.InferOutput<typeof messageId>;

export const opId = v.pipe(id(PLAIN_ID), v.brand("OpId"));
export type OpId = v.InferOutput<typeof opId>;

export const deviceId = v.pipe(id(PLAIN_ID), v.brand("DeviceId"));
export type DeviceId = v.InferOutput<typeof deviceId>;

/** An issuer's name for a session; kept with each connection and denial, so it is bounded. */
export const sessionId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

/** The id that only `dm.open` may make ([OP16]). */
export function isDirectChannelId(channel: ChannelId): boolean {
  return channel.startsWith("dm-");
}
