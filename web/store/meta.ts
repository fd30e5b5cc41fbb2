// Table `meta`: which tab leads, which channels were on screen lately. Other records of it: work-offline.ts, live-at.ts.
import type { RoomName } from "#protocol/room-name.ts";
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
