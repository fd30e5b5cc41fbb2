// Table `meta`: which tab leads, which channels were on screen lately, whether the person works offline by choice, and
// until when each workspace was up to date.
import type { RoomName } from "#protocol/room-name.ts";
import type { WorkspaceId } from "#protocol/ids.ts";
import type { ReadTx, WriteTx } from "./tx.ts";

export function putLeader(tx: WriteTx, tab: string): void {
  tx.put("meta", { key: "leader", tab });
}

export async function readLooked(tx: ReadTx): Promise<Readonly<Record<string, number>>> {
  const record = await tx.get("meta", "looked");
  return record?.key === "looked" ? record.rooms : {};
}

export async function putLooked(tx: WriteTx, room: RoomName, at: number): Promise<void> {
  tx.put("meta", { key: "looked", rooms: { ...(await readLooked(tx)), [room]: at } });
}

/** Whether nothing may use the network: the person's own switch. */
export async function readWorkOffline(tx: ReadTx): Promise<boolean> {
  const record = await tx.get("meta", "workOffline");
  return record?.key === "workOffline" && record.on;
}

export function putWorkOffline(tx: WriteTx, on: boolean): void {
  tx.put("meta", { key: "workOffline", on });
}

async function liveAts(tx: ReadTx): Promise<Readonly<Record<string, number>>> {
  const record = await tx.get("meta", "liveAt");
  return record?.key === "liveAt" ? record.workspaces : {};
}

export async function readLiveAt(tx: ReadTx, workspace: WorkspaceId): Promise<number | null> {
  return (await liveAts(tx))[workspace] ?? null;
}

export async function putLiveAt(tx: WriteTx, workspace: WorkspaceId, at: number): Promise<void> {
  tx.put("meta", { key: "liveAt", workspaces: { ...(await liveAts(tx)), [workspace]: at } });
}
