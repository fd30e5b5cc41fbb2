// Whether what a device holds is what its cursor promises, and nothing that it may not see.
import type { Entity } from "#protocol/entities/entity.ts";
import type { Message } from "#protocol/entities/message.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Stem } from "../../../party/engine/log.ts";
import type { ChannelOwn } from "../../../party/channel/state.ts";
import { isComplete } from "../../store/keep.ts";
import { heardTo } from "../../store/rooms.ts";
import type { RoomRecord } from "../../store/schema.ts";
import type { Device } from "./device.ts";
import type { Disk } from "./held.ts";
import type { SimRoom } from "./rooms.ts";
import type { World } from "./world.ts";

export function messagesOf({ disk }: SimRoom): Message[] {
  return ([...disk.values("e:message:")] as Message[]).toSorted((one, other) => one.seq - other.seq);
}

/** Fields in one order, so that equal is equal. */
export function normal(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** @param isEnd whether everything is at rest: then it must also be complete */
export function judgeReplica(world: World, device: Device, disk: Disk, room: SimRoom, isEnd: boolean): string[] {
  const { name } = room;
  const record = disk.rooms.find((each) => each.name === name);
  const held = disk.messages.filter((each) => each.room === name).map(({ message }) => message);
  const id = room.ref.party === "channel" ? room.ref.channel : "";
  const sight = sightOf(world, device.user);
  if (isEnd && !sight.channels.has(id)) {
    return held.length > 0 ? [`[RV5] ${device.name} holds ${held.length} messages of ${name}`] : [];
  }
  const stem = room.disk.value("s") as Stem<ChannelOwn>;
  const found: string[] = [];
  if (isEnd && sight.joined.has(id)) {
    const why = lackOf(record, stem);
    if (why !== null) found.push(`[I3] ${device.name} isn't up to date in ${name}: ${why}`);
  }
  if (record === undefined || record.cursor === null || record.epoch !== stem.epoch) return found;
  const byPlace = new Map(held.map((message) => [message.seq, message]));
  const first = Math.max(record.floor, record.ranges.at(-1)?.from ?? Infinity);
  const sure = Math.min(record.cursor, record.second?.cursor ?? record.cursor);
  for (const message of messagesOf(room)) {
    const here = byPlace.get(message.seq);
    byPlace.delete(message.seq);
    const isDue = message.rev <= sure && isIn(record, message.seq) && message.seq >= record.floor;
    if (here === undefined) {
      if (message.seq >= first && message.seq <= heardTo(record))
        found.push(`[I3] ${device.name} lacks ${name} ${message.seq}, heard to ${heardTo(record)}`);
      if (isDue)
        found.push(`[SY1] ${device.name} lacks ${name} ${message.seq}@${message.rev}, cursor ${record.cursor}`);
    } else if (here.rev > message.rev || (here.rev < message.rev && isDue)) {
      found.push(
        `[SY1] ${device.name} holds ${name} ${message.seq}@${here.rev}, there @${message.rev}, cursor ${record.cursor}`,
      );
    } else if (here.rev === message.rev && normal(here) !== normal(message)) {
      found.push(`[SY1] ${device.name} holds ${name} ${message.seq}@${here.rev} otherwise`);
    }
  }
  for (const { seq, rev } of byPlace.values())
    found.push(`[SY1] ${device.name} holds ${name} ${seq}@${rev}, not there`);
  return found;
}

function isIn({ ranges }: RoomRecord, seq: number): boolean {
  return ranges.some(({ from, to }) => seq >= from && (to === null || seq <= to));
}

function lackOf(record: RoomRecord | undefined, { head, epoch, own }: Stem<ChannelOwn>): string | null {
  if (record === undefined || record.cursor === null) return "nothing is held";
  if (record.epoch !== epoch) return "of another epoch";
  if (record.cursor !== head) return `cursor ${record.cursor}, head ${head}`;
  if (record.second !== null) return `unchecked from ${record.second.cursor} to ${record.second.upTo}`;
  if (own.seq > 0 && !isComplete(record, own.seq)) return `ranges ${JSON.stringify(record.ranges)} of ${own.seq}`;
  if (record.heldCount !== own.seq) return `counts ${record.heldCount} of ${own.seq}`;
  if (heardTo(record) !== own.seq) return `heard to ${heardTo(record)} of ${own.seq}`;
  if (record.lastSeq !== own.seq) return `last ${record.lastSeq} of ${own.seq}`;
  return null;
}

interface Sight {
  readonly isInside: boolean;
  readonly channels: ReadonlySet<string>;
  readonly joined: ReadonlySet<string>;
  readonly people: ReadonlySet<string>;
}

/** By the rules of [RV5], said once more and simply. */
export function sightOf(world: World, user: UserId): Sight {
  const { disk } = world.rooms.at(world.team);
  const entities = [...disk.values("e:")] as Entity[];
  const role = entities.find((each) => each.kind === "member" && each.id === user);
  const isInside = role?.kind === "member" && role.role !== "guest" && role.role !== "bot";
  const memberships = entities.filter((each) => each.kind === "membership" && each.deleted !== true);
  const joined = new Set<string>();
  for (const each of memberships) if (each.kind === "membership" && each.user === user) joined.add(each.channel);
  const channels = new Set<string>();
  for (const each of entities) {
    if (each.kind !== "channel" || each.deleted === true) continue;
    if (joined.has(each.id) || (isInside && each.access === "public")) channels.add(each.id);
  }
  const people = new Set<string>([user]);
  for (const each of entities) {
    if (each.kind === "member" && isInside) people.add(each.id);
    if (each.kind === "membership" && each.deleted !== true && joined.has(each.channel)) people.add(each.user);
  }
  return { isInside, channels, joined, people };
}

function maySee(entity: Entity, user: UserId, sight: Sight): boolean {
  switch (entity.kind) {
    case "workspace":
      return true;
    case "member":
      return sight.people.has(entity.id);
    case "channel":
      return sight.channels.has(entity.id);
    case "membership":
      return sight.channels.has(entity.channel) || (entity.deleted === true && entity.user === user);
    case "read":
    case "prefs":
    case "draft":
      return entity.user === user;
    case "message":
      return false;
  }
}

export function judgeDirectory(world: World, device: Device, disk: Disk): string[] {
  const room = world.rooms.at(world.team);
  const { user, name } = device;
  const sight = sightOf(world, user);
  const found: string[] = [];
  const record = disk.rooms.find((each) => each.name === room.name);
  const { head } = room.disk.value("s") as { readonly head: number };
  if (record?.cursor !== head)
    found.push(`[I3] ${name} isn't up to date in the workspace: ${record?.cursor} of ${head}`);
  const held = new Map(
    disk.entities
      .filter((each) => each.room === room.name)
      .map(({ entity }): [string, Entity] => [`${entity.kind}:${entity.id}`, entity]),
  );
  for (const entity of [...room.disk.values("e:")] as Entity[]) {
    const key = `${entity.kind}:${entity.id}`;
    const here = held.get(key);
    held.delete(key);
    const isTombstone = "deleted" in entity && entity.deleted;
    if (!maySee(entity, user, sight)) {
      if (here !== undefined && !isLeftover(here, entity)) found.push(`[RV5] ${name} holds ${key}`);
    } else if (here === undefined) {
      if (!isTombstone) found.push(`[I3] ${name} lacks ${key}@${entity.rev}`);
    } else if (normal({ ...here, gone: undefined }) !== normal({ ...entity, gone: undefined })) {
      found.push(`[I3] ${name} holds ${key}@${here.rev} otherwise, there @${entity.rev}`);
    }
  }
  for (const key of held.keys()) found.push(`[I3] ${name} holds ${key}, which isn't there`);
  return found;
}

/** Tombstones of what was in sight once say nothing. */
function isLeftover(here: Entity, there: Entity): boolean {
  return here.kind === "membership" && here.deleted === true && there.kind === "membership" && there.deleted === true;
}
