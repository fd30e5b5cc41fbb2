// What comes of a workspace's room into table `entities`; only who leads stores that.
import type { Entity } from "#protocol/entities/entity.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { readEntities, readEntity, removeEntity } from "./entities.ts";
import type { WriteTx } from "./tx.ts";

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
