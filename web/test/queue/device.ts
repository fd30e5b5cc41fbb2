// One person's device for tests of the queue, and everything they could do on it.
import { expect } from "vitest";
import { membershipId, myStateId } from "#protocol/entities/keys.ts";
import type { Entity, Kind } from "#protocol/entities/entity.ts";
import type { ChannelId, MessageId, OpId, UserId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { waits } from "../../store/needs.ts";
import { isOpen } from "../../store/outbox.ts";
import { overlay } from "../../store/overlay.ts";
import { channelRoom } from "../../store/rooms.ts";
import type { OutboxRecord } from "../../store/schema.ts";
import { merge } from "../../sync/merge.ts";
import { DIRECTORY, ME, OTHERS, Rooms, start, W } from "./rooms.ts";

const NAMES = ["red", "green", "blue"];
const EMOJI = ["👍", "🎉"];

/** One person's device: what it queued, and everything it did one by one. */
export class Device {
  outbox: OutboxRecord[] = [];
  readonly confirmed = start();
  /** The rooms, had everything been done at once. */
  readonly oneByOne = start();
  #made = 0;

  /** As it is shown here. */
  shown(): Rooms {
    const world = new Rooms(this.confirmed.entities);
    for (const room of new Set(this.outbox.map((op) => op.room))) {
      const own = this.outbox.filter((op) => op.room === room);
      for (const [key, entity] of overlay(this.confirmed.lookup(room), own, ME).changed)
        world.entities.set(`${room} ${key}`, entity);
    }
    return world;
  }

  id(): string {
    this.#made += 1;
    return `x${String(this.#made).padStart(4, "0")}`;
  }

  do(room: RoomName, change: AnyOp): void {
    expect(this.oneByOne.run(room, change), `one by one: ${JSON.stringify(change)}`).not.toBe("refused");
    const around = { outbox: this.outbox, room, me: ME, confirmed: this.confirmed.lookup(room), isComing: false };
    const { removes, puts, appends } = merge(around, change);
    for (const op of [...removes, ...puts]) expect(op.n, "a numbered op is never changed").toBeUndefined();
    const changed = new Map(puts.map((op) => [op.place, op]));
    this.outbox = this.outbox.filter((op) => !removes.includes(op)).map((op) => changed.get(op.place) ?? op);
    if (appends === null) return;
    const place = this.#made++;
    this.outbox.push({ ...appends, id: this.id() as OpId, place, version: 0, at: place, room });
  }

  /** What the next op of each room is, of those that needn't wait. */
  ready(): OutboxRecord[] {
    const waiting = waits(this.outbox);
    return this.outbox.filter((op) => isOpen(op) && !waiting.has(op.id));
  }

  /** Some are on their way when the line goes. */
  number(count: number): void {
    const taken = new Set(
      this.ready()
        .slice(0, count)
        .map(({ id }) => id),
    );
    this.outbox = this.outbox.map((op) => (taken.has(op.id) ? { ...op, n: op.place + 1 } : op));
  }
}

export type Dice = () => number;

/** One thing that a person could do now, going by what is on the screen; nothing where the dice point at nothing. */
export function act(device: Device, dice: Dice): void {
  const shown = device.shown();
  const pick = <T>(list: readonly T[]): T | undefined => list[dice() % Math.max(1, list.length)];
  const all = <K extends Kind>(kind: K): Extract<Entity, { kind: K }>[] =>
    [...shown.entities.values()].filter((each): each is Extract<Entity, { kind: K }> => each.kind === kind);
  const channels = all("channel").flatMap((channel) => (channel.deleted ? [] : [channel]));
  const channel = pick(channels);
  if (channel === undefined) return;
  const { id } = channel;
  const room = channelRoom(W, id);
  const isIn = (user: UserId): boolean => {
    const membership = shown.lookup(DIRECTORY)("membership", membershipId(id, user));
    return membership !== undefined && !membership.deleted;
  };
  const mayWrite = channel.archivedAt === undefined && isIn(ME);
  const inRoom = [...shown.entities].flatMap(([key, each]) =>
    key.startsWith(`${room} `) && each.kind === "message" && !each.deleted ? [each] : [],
  );
  const message = pick(inRoom);
  const mine = pick(inRoom.filter(({ author }) => author === ME));
  const name = pick(NAMES.filter((free) => channels.every((other) => other.name !== free)));
  const user = pick(OTHERS) ?? ME;
  const inChannel = (change: AnyOp): void => (mayWrite ? device.do(room, change) : undefined);
  const inDirectory = (change: AnyOp): void => device.do(DIRECTORY, change);
  const deeds: readonly (() => void)[] = [
    () => inChannel({ op: "message.post", args: { id: device.id() as MessageId, text: "new" } }),
    () => {
      const root = message?.root ?? message?.id;
      if (root === undefined || shown.lookup(room)("message", root) === undefined) return;
      inChannel({ op: "message.post", args: { id: device.id() as MessageId, text: "answer", root, toChannel: true } });
    },
    () => mine && inChannel({ op: "message.edit", args: { id: mine.id, text: `text ${dice() % 3}`, base: mine.rev } }),
    () => mine && inChannel({ op: "message.edit", args: { id: mine.id, text: mine.id, base: mine.rev } }),
    () => mine && inChannel({ op: "message.delete", args: { id: mine.id } }),
    () => {
      const emoji = pick(EMOJI) ?? "👍";
      const on = message?.reactions?.[emoji]?.includes(ME) !== true;
      if (message) inChannel({ op: "message.react", args: { id: message.id, emoji, on } });
    },
    () => message && inChannel({ op: "message.pin", args: { id: message.id, on: message.pinned === undefined } }),
    () => name && inDirectory({ op: "channel.create", args: { id: device.id() as ChannelId, name, access: "public" } }),
    () => name && inDirectory({ op: "channel.update", args: { id, name } }),
    () => inDirectory({ op: "channel.update", args: { id, topic: `topic ${dice() % 2}` } }),
    () => inDirectory({ op: "channel.archive", args: { id, on: channel.archivedAt === undefined } }),
    () => inDirectory(isIn(ME) ? { op: "channel.leave", args: { id } } : { op: "channel.join", args: { id } }),
    () =>
      inDirectory({
        op: "channel.members",
        args: { id, add: isIn(user) ? [] : [user], remove: isIn(user) ? [user] : [] },
      }),
    () => {
      const prefs = shown.lookup(DIRECTORY)("prefs", myStateId(ME, id));
      inDirectory({ op: "channel.prefs", args: { channel: id, starred: prefs?.starred !== true } });
    },
    () => inDirectory({ op: "channel.prefs", args: { channel: id, muted: dice() % 2 === 0 } }),
    () => inDirectory({ op: "channel.prefs", args: { channel: id, level: dice() % 2 === 0 ? "all" : "none" } }),
    () => inDirectory({ op: "member.update", args: { title: `title ${dice() % 2}` } }),
    () =>
      inDirectory({ op: "member.update", args: { status: dice() % 2 === 0 ? null : { emoji: "🌊", text: "at sea" } } }),
    () => inDirectory({ op: "member.role", args: { user, role: dice() % 2 === 0 ? "admin" : "member" } }),
    () => {
      const isOn = shown.lookup(DIRECTORY)("member", user)?.deactivatedAt === undefined;
      inDirectory({ op: "member.activate", args: { user, on: !isOn } });
    },
  ];
  pick(deeds)?.();
}
