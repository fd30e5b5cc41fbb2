// Table `rooms`: how far each room is known here.
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import { roomNameOf, type RoomName } from "#protocol/room-name.ts";
import type { RoomRecord } from "./schema.ts";
import type { ReadTx } from "./tx.ts";

/** Seqs remembered as naming me; a count past it reads as this many. */
export const NAMING_MAX = 100;

/** A room of which nothing is known yet. */
export function emptyRoom(name: RoomName): RoomRecord {
  return {
    name,
    cursor: null,
    epoch: null,
    head: 0,
    generation: 0,
    isSweeping: false,
    ranges: [],
    second: null,
    floor: 0,
    lastSeq: 0,
    top: 0,
    heldCount: 0,
    naming: [],
    heads: 0,
    you: null,
  };
}

export async function readRoom(tx: ReadTx, name: RoomName): Promise<RoomRecord> {
  return (await tx.get("rooms", name)) ?? emptyRoom(name);
}

export function workspaceRoom(workspace: WorkspaceId): RoomName {
  return roomNameOf({ party: "workspace", workspace });
}

export function channelRoom(workspace: WorkspaceId, channel: ChannelId): RoomName {
  return roomNameOf({ party: "channel", workspace, channel });
}

/** Up to this place nothing is missing; what is held beyond it stands behind a hole. */
export function heardTo(room: Pick<RoomRecord, "heardTo" | "lastSeq">): number {
  return room.heardTo ?? room.lastSeq;
}

/** A channel begins with its newest page: one without any holds nothing, whatever its cursor says. */
export function isBegun({ name, ranges }: RoomRecord): boolean {
  return ranges.length > 0 || !name.startsWith("channel:");
}
