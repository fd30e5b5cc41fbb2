// How rooms are called: `workspace:W` and `channel:W_C` in tokens and requests, `/parties/<party>/<id>` on the wire.
import * as v from "valibot";
import { channelId, workspaceId, type ChannelId, type WorkspaceId } from "./ids.ts";

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
  const workspace = v.safeParse(workspaceId, parts[0]);
  if (!workspace.success) return null;
  if (party === "workspace") return parts.length === 1 ? { party, workspace: workspace.output } : null;
  if (party !== "channel" || parts.length !== 2) return null;
  const channel = v.safeParse(channelId, parts[1]);
  return channel.success ? { party, workspace: workspace.output, channel: channel.output } : null;
}

export function parseRoomName(name: string): RoomRef | null {
  const colon = name.indexOf(":");
  return colon < 0 ? null : parseRoom(name.slice(0, colon), name.slice(colon + 1));
}

export const roomName: v.GenericSchema<string, RoomName> = v.pipe(
  v.string(),
  v.check((name) => parseRoomName(name) !== null, "is not the name of a room"),
  v.transform((name) => name as RoomName),
);
