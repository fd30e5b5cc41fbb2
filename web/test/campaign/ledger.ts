// What was said and by whom, what the rooms wrote, and every rule that was seen broken on the way.
import type { Entity } from "#protocol/entities/entity.ts";
import type { ChannelId, MessageId, UserId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { roomNameOf, type RoomName } from "#protocol/room-name.ts";
import type { Rows } from "../../../party/engine/host.ts";
import type { Device } from "./device.ts";
import type { Way } from "./line.ts";
import type { SimRoom } from "./rooms.ts";
import type { World } from "./world.ts";

/** A text that a device took. */
export interface Said {
  readonly device: Device;
  readonly user: UserId;
  readonly channel: ChannelId;
  readonly message: MessageId;
  readonly text: string;
}

/** Something one device wanted to be so; the last of a key counts, if no other device wanted anything. */
export interface Wish {
  readonly device: Device;
  readonly value: string;
}

export class Ledger {
  /** In the order in which they were accepted. */
  readonly said: Said[] = [];
  readonly wishes = new Map<string, Wish[]>();
  /** Keys about which nothing can be said: refused, taken back, or never known to be accepted. */
  readonly unsure = new Set<string>();
  /** Taken out or elsewhere by the person. */
  readonly discarded = new Set<string>();
  /** Texts that were being stored as their person gave up all that waited. */
  readonly givenUp = new Set<string>();
  /** Sent again after a refusal, so in another order. */
  readonly retried = new Set<string>();
  /** Rooms whose history was turned back. */
  readonly restored = new Set<RoomName>();
  /** Messages that a room took for another: the same draft, sent from another device. Id → the other's. */
  readonly taken = new Map<string, string>();
  /** Devices and what was typed anew there, in the words of the draft that stood there: no other's. */
  readonly begunAnew = new Set<string>();
  /** Messages that went with it. */
  readonly gone = new Set<string>();
  readonly broken: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly #world: World;
  readonly #reads = new Map<string, number>();
  readonly #heads = new Map<RoomName, number>();
  readonly #places = new Map<string, string>();
  /** Rooms and ids of ops that had an effect. */
  readonly #done = new Set<string>();
  /** Memberships that are ended, since when; and how long others were at most. */
  readonly #outs = new Map<string, number>();
  readonly #longestOutMs = new Map<string, number>();
  /** Op id → what it is about. */
  readonly #ops = new Map<string, { readonly keys: readonly string[] }>();

  constructor(world: World) {
    this.#world = world;
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  breaks(rule: string): void {
    if (this.broken.length < 20) this.broken.push(rule);
    this.#world.trace(`BROKEN ${rule}`);
  }

  wish(key: string, wish: Wish): void {
    this.wishes.set(key, [...(this.wishes.get(key) ?? []), wish]);
  }

  wrote({ name }: SimRoom, puts: Rows): void {
    const stem = puts["s"] as { readonly head: number } | undefined;
    const head = this.#heads.get(name) ?? 0;
    if (stem !== undefined) {
      if (stem.head !== head && stem.head !== head + 1) this.breaks(`[RV1] ${name} head ${head} -> ${stem.head}`);
      this.#heads.set(name, stem.head);
    }
    const hasEffect = Object.keys(puts).some((key) => key.startsWith("e:"));
    for (const [key, value] of Object.entries(puts)) {
      if (key.startsWith("e:")) this.#entity(name, value as Entity);
      else if (key.startsWith("a:")) this.#taken(key.slice(key.lastIndexOf(":") + 1), value as MessageId);
      else if (key.startsWith("d:"))
        this.#processed(name, (value as { ring: readonly Processed[] }).ring.at(-1), hasEffect);
    }
  }

  #entity(room: RoomName, entity: Entity): void {
    if (entity.kind === "membership") this.#moved(entity.id, entity.deleted === true);
    if (entity.kind === "read") {
      const before = this.#reads.get(entity.id) ?? 0;
      const isSetBack = this.restored.has(roomNameOf(this.#world.channel(entity.channel)));
      if (entity.seq < before && entity.unreadRev === undefined && !isSetBack)
        this.breaks(`[OP17] read position ${entity.id} ${before} -> ${entity.seq}`);
      this.#reads.set(entity.id, entity.seq);
    }
    if (entity.kind !== "message") return;
    const place = `${room} ${entity.seq}`;
    const there = this.#places.get(place);
    if (there !== undefined && there !== entity.id) this.breaks(`[RV4] ${place} is ${there} and ${entity.id}`);
    this.#places.set(place, entity.id);
  }

  /** [OP18]: nothing of what was said is gone by it, and what one device said twice stands twice. */
  #taken(id: string, by: MessageId): void {
    const [one, other] = [id, by].map((each) => this.said.find(({ message }) => message === each));
    this.count("taken for another");
    this.taken.set(id, by);
    if (one === undefined || other === undefined) return;
    const isSame = one.user === other.user && one.text === other.text && one.channel === other.channel;
    const isSaidTwice = this.said.some(({ message, device }) => {
      return device === one.device && message !== id && (message === by || this.taken.get(message) === by);
    });
    const isAnother = this.begunAnew.has(`${one.device.name} ${one.text}`);
    if (!isSame || isSaidTwice || isAnother)
      this.breaks(`[OP18] ${id} of ${one.device.name} taken for ${by} of ${other.device.name}`);
  }

  #moved(id: string, isOut: boolean): void {
    const { now } = this.#world.loop;
    const since = this.#outs.get(id);
    if (isOut) this.#outs.set(id, since ?? now);
    else if (since !== undefined) {
      this.#longestOutMs.set(id, Math.max(this.#longestOutMs.get(id) ?? 0, now - since));
      this.#outs.delete(id);
    }
  }

  /** How long somebody who is in a channel was out of it at most; null where they are out or never were. */
  longestOutMs(membership: string): number | null {
    return this.#outs.has(membership) ? null : (this.#longestOutMs.get(membership) ?? null);
  }

  #processed(room: RoomName, last: Processed | undefined, hasEffect: boolean): void {
    if (last === undefined) return;
    const [, id, code] = last;
    if (code !== undefined) this.#refused(id);
    else if (hasEffect) this.#did(room, id);
  }

  #did(room: RoomName, id: string): void {
    const op = `${room} ${id}`;
    if (this.#done.has(op) && !this.restored.has(room)) this.breaks(`[OP3] ${room} did ${id} twice`);
    this.#done.add(op);
  }

  #refused(id: string): void {
    this.count("refused");
    for (const key of this.#ops.get(id)?.keys ?? []) this.unsure.add(key);
  }

  turnedBack(room: SimRoom): void {
    const { name } = room;
    this.restored.add(name);
    const stem = room.disk.value("s") as { readonly head: number };
    this.#heads.set(name, stem.head);
    const standing = new Set<string>();
    for (const entity of room.disk.values("e:message:")) standing.add((entity as Entity).id);
    for (const [place, id] of this.#places) {
      if (!place.startsWith(`${name} `) || standing.has(id)) continue;
      this.gone.add(id);
      this.#places.delete(place);
    }
  }

  frame(device: Device, way: Way, room: RoomName, text: string): void {
    if (way === "up") {
      if (!text.startsWith('{"t":"op"')) return;
      const frame = JSON.parse(text) as { readonly id: string } & AnyOp;
      this.#ops.set(frame.id, { keys: keysOf(frame, device.user) });
      return;
    }
    if (!text.startsWith('{"t":"ack"') && !text.startsWith('{"t":"changes"')) return;
    if (this.restored.has(room)) return;
    const { disk } = this.#world.rooms.named(room);
    for (const entity of (JSON.parse(text) as { readonly entities: readonly Entity[] }).entities) {
      const stored = disk.value(`e:${entity.kind}:${entity.id}`) as Entity | undefined;
      if (stored === undefined || stored.rev < entity.rev)
        this.breaks(`[RV6] ${room} showed ${entity.kind} ${entity.id} at ${entity.rev} before it was stored`);
    }
  }
}

type Processed = readonly [n: number, id: string, code?: string];

/** Of what is to stand in the composer of a channel. */
export function draftKey(channel: ChannelId, user: UserId): string {
  return `draft ${channel} ${user}`;
}

/** What a wish is called that the op is to fulfil. */
export function keysOf({ op, args }: AnyOp, user: UserId): string[] {
  switch (op) {
    case "message.post":
      return [`text ${args.id}`];
    case "message.edit":
      return [`text ${args.id}`];
    case "message.delete":
      return [`text ${args.id}`];
    case "message.pin":
      return [`pin ${args.id}`];
    case "message.react":
      return [`react ${args.id} ${args.emoji} ${user}`];
    case "channel.update":
      return [
        ...(args.name === undefined ? [] : [`name ${args.id}`]),
        ...(args.topic === undefined ? [] : [`topic ${args.id}`]),
      ];
    case "channel.archive":
      return [`archived ${args.id}`];
    case "channel.prefs":
      return [`star ${args.channel} ${user}`];
    case "draft.set":
      return [draftKey(args.channel, user)];
    default:
      return [];
  }
}
