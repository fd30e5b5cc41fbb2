// Table `entities`: what a workspace room keeps, by (room, kind, id).
import type { Kind } from "#protocol/entities/entity.ts";
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

export function removeEntity(tx: WriteTx, { room, entity }: EntityRecord): void {
  tx.remove("entities", [room, entity.kind, entity.id]);
}
