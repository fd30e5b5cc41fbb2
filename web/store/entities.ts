// Table `entities`: what a workspace room keeps, by (room, kind, id).
import type { Entity, Kind } from "#protocol/entities/entity.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { EntityRecord } from "./schema.ts";
import { prefix, type ReadTx, type WriteTx } from "./tx.ts";

export function readEntity(
  tx: ReadTx,
  room: RoomName,
  { kind, id }: { readonly kind: Kind; readonly id: string },
): Promise<EntityRecord | undefined> {
  return tx.get("entities", [room, kind, id]);
}

export async function readEntities(tx: ReadTx, room: RoomName): Promise<EntityRecord[]> {
  return tx.all("entities", prefix(room));
}

/** Stores it unless a later state of the same generation stands there ([SY1]); answers whether it did. */
export async function putEntity(tx: WriteTx, room: RoomName, generation: number, entity: Entity): Promise<boolean> {
  const before = await readEntity(tx, room, entity);
  if (before !== undefined && before.generation === generation && before.entity.rev >= entity.rev) return false;
  tx.put("entities", { room, generation, entity });
  return true;
}

/** After a reset is through: what it did not bring is no more. Answers what that was. */
export async function sweepEntities(tx: WriteTx, room: RoomName, generation: number): Promise<Entity[]> {
  const swept = (await readEntities(tx, room)).filter((record) => record.generation < generation);
  for (const record of swept) removeEntity(tx, record);
  return swept.map(({ entity }) => entity);
}

export function removeEntity(tx: WriteTx, { room, entity }: EntityRecord): void {
  tx.remove("entities", [room, entity.kind, entity.id]);
}
