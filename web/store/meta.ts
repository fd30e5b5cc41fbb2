// Table `meta`: which tab leads, who this is, which channels were on screen lately.
import type { RoomName } from "#protocol/room-name.ts";
import type { SessionSnapshot } from "./snapshots.ts";
import type { ReadTx, WriteTx } from "./tx.ts";

export type KnownSession = Exclude<SessionSnapshot, { readonly state: "nobody" }>;

export async function readSession(tx: ReadTx): Promise<KnownSession | null> {
  const record = await tx.get("meta", "session");
  return record?.key === "session" ? record.session : null;
}

export function putSession(tx: WriteTx, session: KnownSession): void {
  tx.put("meta", { key: "session", session });
}

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
