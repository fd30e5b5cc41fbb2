// The verdict over a run: every text once, in its order, the same everywhere; nothing held that may not be seen.
import { channelOf } from "../../store/op-channel.ts";
import { waits } from "../../store/needs.ts";
import { membershipId, myStateId } from "#protocol/entities/keys.ts";
import type { Entity } from "#protocol/entities/entity.ts";
import type { Channel } from "#protocol/entities/channel.ts";
import type { Message } from "#protocol/entities/message.ts";
import type { Draft } from "#protocol/entities/my-state.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { OutboxRecord } from "../../store/schema.ts";
import type { Device } from "./device.ts";
import { SHORT_MS } from "./flaps.ts";
import { readDisk, type Disk } from "./held.ts";
import { judgeUnread } from "./judge-unread.ts";
import { keysOf } from "./ledger.ts";
import { judgeDirectory, messagesOf, judgeReplica } from "./replicas.ts";
import type { SimRoom } from "./rooms.ts";
import type { World } from "./world.ts";

export async function judge(world: World): Promise<string[]> {
  const disks = new Map<Device, Disk>();
  for (const device of world.devices) disks.set(device, await world.loop.during(readDisk(device)));
  const rooms = [...world.rooms.all.values()].filter(({ ref, disk }) => ref.party === "channel" && disk.rows.has("s"));
  const messages = new Map(rooms.map((room) => [room, messagesOf(room)] as const));
  const all = new Map([...messages.values()].flat().map((message) => [message.id as string, message] as const));
  return [
    ...judgeTexts(world, disks, all),
    ...judgeOrder(world, all),
    ...judgeRefused(world, disks),
    ...judgeRooms(messages),
    ...[...disks].flatMap(([device, disk]) => judgeOutbox(device, disk)),
    ...[...disks].flatMap(([device, disk]) => judgeDirectory(world, device, disk)),
    ...[...disks].flatMap(([device, disk]) => rooms.flatMap((room) => judgeReplica(world, device, disk, room, true))),
    ...judgeWishes(world, disks, all),
    ...judgeScreens(world, messages),
    ...judgeUnread(world, messages),
  ];
}

/** I1, and that what was refused is kept where it was written. */
function judgeTexts(
  { ledger, begun }: World,
  disks: ReadonlyMap<Device, Disk>,
  all: ReadonlyMap<string, Message>,
): string[] {
  const found: string[] = [];
  const times = new Map<string, number>();
  // Moved elsewhere by who may not delete it there any more, and is told so.
  const deletions = new Set([...disks.values()].flatMap(({ outbox }) => outbox.flatMap(deletedBy)));
  for (const message of all.values())
    if (!message.deleted && message.edits === undefined && !deletions.has(message.id))
      times.set(message.text, (times.get(message.text) ?? 0) + 1);
  for (const [text, count] of times)
    if (count > 1 && text.includes("#") && !text.startsWith("draft"))
      found.push(`[I1] doubled: ${text} stands ${count} times`);
  for (const { device, message, text, channel } of ledger.said) {
    if (ledger.givenUp.has(text)) continue;
    const there = ledger.taken.get(message) ?? message;
    if (all.has(there) || ledger.discarded.has(message) || ledger.gone.has(there)) continue;
    // Taken back by its author before it was sent.
    if (ledger.wishes.get(`text ${message}`)?.at(-1)?.value === "") continue;
    // Or by a page that ended before it could say so.
    if ((begun.get(`gone ${message}`) ?? 0) > 0) continue;
    const kept = disks.get(device)?.outbox.find((op) => op.op === "message.post" && op.args.id === message);
    if (kept === undefined) found.push(`[I1] lost: ${text} in ${channel} (${message})`);
  }
  return found;
}

function deletedBy(op: OutboxRecord): readonly string[] {
  return op.op === "message.delete" ? [op.args.id] : [];
}

/** I2. */
function judgeOrder({ ledger }: World, all: ReadonlyMap<string, Message>): string[] {
  const found: string[] = [];
  const last = new Map<string, { seq: number; text: string }>();
  for (const { device, channel, message, text } of ledger.said) {
    const stored = all.get(message);
    if (stored === undefined || ledger.retried.has(message)) continue;
    const key = `${device.name} ${channel}`;
    const before = last.get(key);
    if (before !== undefined && before.seq > stored.seq)
      found.push(`[I2] order: ${text} stands at ${stored.seq}, ${before.text} before it at ${before.seq}`);
    last.set(key, { seq: stored.seq, text });
  }
  return found;
}

/** Nothing is refused to who was taken out and put back within moments. */
function judgeRefused({ ledger }: World, disks: ReadonlyMap<Device, Disk>): string[] {
  return ledger.said.flatMap(({ device, user, channel, message, text }) => {
    const outMs = ledger.longestOutMs(membershipId(channel, user)) ?? SHORT_MS;
    const kept = disks.get(device)?.outbox.find((op) => op.op === "message.post" && op.args.id === message);
    // On a full disk there was no room for word of the return.
    const isExcused = outMs >= SHORT_MS || device.wasFull || ledger.retried.has(message);
    if (isExcused || kept?.refusal?.code !== "forbidden") return [];
    return [`[AU4] refused: ${text.slice(0, 24)} in ${channel} to who was out for ${outMs} ms at most`];
  });
}

/** [RV4]: places from 1 without a hole, times that never go back. */
function judgeRooms(messages: ReadonlyMap<SimRoom, readonly Message[]>): string[] {
  const found: string[] = [];
  for (const [{ name }, list] of messages) {
    list.forEach((message, i) => {
      if (message.seq !== i + 1) found.push(`[RV4] ${name} has ${message.seq} at place ${i + 1}`);
      const before = list[i - 1];
      if (before !== undefined && before.createdAt > message.createdAt)
        found.push(`[RV4] ${name} goes back in time at ${message.seq}`);
    });
  }
  return found;
}

/** I5: nothing waits that nobody could do anything about. */
function judgeOutbox({ name }: Device, { outbox }: Disk): string[] {
  const waiting = waits(outbox);
  return outbox.flatMap((op) => {
    if (op.refusal !== undefined)
      return op.refusal.detail === "" ? [`[I5] ${name} keeps ${op.op} without a reason`] : [];
    return waiting.has(op.id) ? [] : [`[I5] ${name} still waits with ${describe(op)}`];
  });
}

function describe(op: OutboxRecord): string {
  return `${op.op} n=${op.n ?? "-"} ${op.room} ${channelOf(op) ?? ""} ${JSON.stringify(op.args)}`;
}

/** What one device alone wanted is so, in the end. */
function judgeWishes(
  { ledger, rooms, team, begun }: World,
  disks: ReadonlyMap<Device, Disk>,
  all: ReadonlyMap<string, Message>,
): string[] {
  const directory = rooms.at(team).disk;
  const pending = new Set([...disks].flatMap(([{ user }, { outbox }]) => outbox.flatMap((op) => keysOf(op, user))));
  // What is done to either is done to one, by two devices.
  const shared = [...ledger.taken].flat();
  const found: string[] = [];
  for (const [key, list] of ledger.wishes) {
    if (shared.some((id) => key.includes(id))) continue;
    const last = list.at(-1);
    if (last === undefined || list.some(({ device }) => device !== last.device)) continue;
    if (ledger.unsure.has(key) || (begun.get(key) ?? 0) > 0 || pending.has(key)) continue;
    const actual = valueOf(key);
    if (actual !== undefined && actual !== last.value)
      found.push(
        `[I1] ${key} is ${actual}, ${last.device.name} wanted ${list.map(({ value }) => value).join(" then ")}`,
      );
  }
  return found;

  function valueOf(key: string): string | undefined {
    const [what, id = "", more = "", user = ""] = key.split(" ");
    const message = all.get(id);
    const channel = directory.value(`e:channel:${id}`) as Channel | undefined;
    // Whoever deletes it takes back what they wanted of it before, and a change of mind doesn't bring that again.
    const isTakenBack = ledger.wishes.get(`text ${id}`)?.some(({ value }) => value === "") === true;
    if (isTakenBack && (what === "react" || what === "pin")) return undefined;
    if (ledger.restored.size > 0 && ["text", "react", "pin"].includes(what ?? "")) return undefined;
    switch (what) {
      case "text":
        return message === undefined || ledger.discarded.has(id) ? undefined : message.deleted ? "" : message.text;
      case "react":
        if (message === undefined || message.deleted) return undefined;
        return String(message.reactions?.[more]?.includes(user as never) === true);
      case "pin":
        return message === undefined || message.deleted ? undefined : String(message.pinned !== undefined);
      case "name":
        return channel === undefined || channel.deleted ? undefined : channel.name;
      case "topic":
        return channel === undefined || channel.deleted ? undefined : channel.topic;
      case "archived":
        return channel === undefined || channel.deleted ? undefined : String(channel.archivedAt !== undefined);
      case "draft": {
        const draft = directory.value(`e:draft:${myStateId(more as UserId, id as ChannelId)}`) as Draft | undefined;
        return draft === undefined || draft.deleted === true ? "" : draft.text;
      }
      case "star": {
        const prefs = directory.value(`e:prefs:${more}.${id}`) as Extract<Entity, { kind: "prefs" }> | undefined;
        return String(prefs?.starred === true);
      }
      default:
        return undefined;
    }
  }
}

/** I3 and I4 as the screens have them. */
function judgeScreens(world: World, messages: ReadonlyMap<SimRoom, readonly Message[]>): string[] {
  const found: string[] = [];
  for (const { tabs } of world.devices) {
    for (const tab of tabs) {
      const snapshot = tab.timeline?.snapshot();
      if (tab.channel === null || snapshot === undefined) continue;
      const list = messages.get(world.rooms.at(world.channel(tab.channel))) ?? [];
      if (snapshot.state !== "ready") {
        found.push(`[I3] ${tab.name} shows nothing of ${tab.channel}`);
        continue;
      }
      const rows = snapshot.messages.filter(({ seq }) => seq !== null);
      const first = rows[0]?.seq ?? 0;
      const shown = rows.filter(({ isDeleted }) => !isDeleted).map(({ seq, id }) => `${seq} ${id}`);
      const due = list
        .filter(({ seq, deleted, root, ...rest }) => {
          const isInTimeline = root === undefined || rest.toChannel === true;
          return seq >= first && deleted !== true && isInTimeline;
        })
        .map(({ seq, id }) => `${seq} ${id}`);
      if (shown.join() !== due.join())
        found.push(`[I3] ${tab.name} shows ${tab.channel} otherwise: ${difference(shown, due)}`);
    }
  }
  return found;
}

function difference(here: readonly string[], there: readonly string[]): string {
  const only = (one: readonly string[], other: readonly string[]): string =>
    one
      .filter((each) => !other.includes(each))
      .slice(0, 5)
      .join(", ");
  return `only shown ${only(here, there)}; only in the room ${only(there, here)}`;
}
