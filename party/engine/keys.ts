// Names of rows. `e:` entities by kind and id, `d:` devices, `f:` those forgotten; the kinds of room add their own.
import type { Entity, EntityKey } from "#protocol/entities/entity.ts";
import type { DeviceId, UserId } from "#protocol/ids.ts";

export const ENTITY_PREFIX = "e:";

/** `kind:id`, as the index holds it. */
export function keyOf({ kind, id }: EntityKey): string {
  return `${kind}:${id}`;
}

export function entityRow(key: string): string {
  return ENTITY_PREFIX + key;
}

export function devicePrefix(user: UserId): string {
  return `d:${user}:`;
}

export function deviceRow(user: UserId, device: DeviceId): string {
  return devicePrefix(user) + device;
}

/** What the room still knows of the person's devices that it forgot. */
export function legacyRow(user: UserId): string {
  return `f:${user}`;
}

/** What the room itself stored; not parsed again. */
export function asEntity(row: unknown): Entity | undefined {
  return row as Entity | undefined;
}
