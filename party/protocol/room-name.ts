// How rooms are called: `workspace:W` and `channel:W_C` in tokens and requests, `/parties/<party>/<id>` on the wire.
import type * as v from "valibot";
import { isPlainId } from "./id-forms.ts";
import type { ChannelId, WorkspaceId } from "./ids.ts";

export type RoomRef =
  | { readonly party: "workspace"; readonly workspace: WorkspaceId }
  | { readonly party: "channel"; readonly workspace: WorkspaceId; readonly channel: ChannelId };

export type Party = RoomRef["party"];

/** `workspace:W` or `channel:W_C`, parsed and known to be well formed. */
export type RoomName = string & v.Brand<"RoomName">;

export function roomNameOf(room: RoomRef): RoomName {
  return `${room.party}:${roomIdOf(room)}` as RoomName;
}

/** The id within its party: `W` or `W_C`. */
export function roomIdOf(room: RoomRef): string {
  return room.party === "workspace" ? room.workspace : `${room.workspace}_${room.channel}`;
}

export function roomPathOf(room: RoomRef): string {
  return `/parties/${room.party}/${roomIdOf(room)}`;
}

/** Null when the parts don't make the address of a room. */
export function parseRoom(party: string, id: string): RoomRef | null {
  const parts = id.split("_");
  const [workspace = "", channel = ""] = parts;
  if (!isPlainId(workspace)) return null;
  if (party === "workspace") return parts.length === 1 ? { party, workspace: workspace as WorkspaceId } : null;
  if (party !== "channel" || parts.length !== 2 || !isPlainId(channel)) return null;
  return { party, workspace: workspace as WorkspaceId, channel: channel as ChannelId };
}

export function parseRoomName(name: string): RoomRef | null {
  const colon = name.indexOf(":");
  return colon < 0 ? null : parseRoom(name.slice(0, colon), name.slice(colon + 1));
}
