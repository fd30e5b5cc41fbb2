// The moves of the model of a replica: what is said in the room, what of it comes to the device by which way, what makes
// way there. Each is possible at any time, if only in vain.
import type { LiveMessage } from "#protocol/entities/message.ts";
import type { OpId } from "#protocol/ids.ts";
import { freeBelow } from "../../store/freeing.ts";
import { heardTo } from "../../store/rooms.ts";
import { FRAME_TABLES } from "../../sync/replica-store.ts";
import { outboxOf, REFUSED } from "../ops.ts";
import type { ModelDevice } from "./device.ts";
import { isOfThisHistory, namesMe } from "./promises.ts";
import { ME } from "./room.ts";

/** Revs or messages that come at once, few so that much comes in pieces. */
const PAGE = 3;
const NEXT_PAGE = 2;
const FLOOD = 10;

/** @param at which of several, and by which way, whatever number it is */
type Make = (device: ModelDevice, at: number) => void | Promise<void>;

/** What is done in the room, whether this device hears of it or not. */
const SAID = {
  post: ({ room }) => void room.post(),
  "post-mine": ({ room }) => void room.post({ author: ME }),
  "post-naming-me": ({ room }) => void room.post({ mentions: [ME] }),
  flood: ({ room }, at) => {
    for (let i = 0; i < FLOOD; i++) room.post(at % 3 === 0 ? { author: ME } : {});
  },
  "take-in": ({ room }) => room.takeIn(),
  reply: ({ room }, at) => {
    const to = pick(room.messages(), at);
    if (to !== undefined) room.reply(to, at % 2 === 0 ? undefined : ME);
  },
  edit: (device, at) => {
    const message = livePick(device, at);
    if (message !== null) device.room.edit(message, at % 4 === 0 ? { mentions: [ME] } : {});
  },
  unname: ({ room }, at) => {
    const message = pick(room.messages().filter(namesMe), at);
    if (message !== undefined) room.edit(message, { mentions: [] });
  },
  delete: (device, at) => {
    const message = livePick(device, at);
    if (message !== null) device.room.delete(message);
  },
  "back-up": ({ room }) => room.backUp(),
  restore: (device) => {
    if (!device.room.restore()) return;
    device.link = null;
    device.late = null;
  },
} satisfies Record<string, Make>;

/** What the room sends on a connection. */
const SENT = {
  connect,
  cut: (device) => {
    device.link = null;
  },
  live: async (device) => {
    const { room, replica, link } = device;
    if (link === null) return connect(device);
    if (!link.isLive || link.to === room.head) return;
    const frame = room.changes(link.to);
    link.to = frame.to;
    await replica.changed(frame, room.epoch);
  },
  pull: async ({ room, replica, link }) => {
    const { ranges, cursor } = await replica.read();
    if (link === null || ranges.length === 0) return;
    const frame = room.changes(Math.min(cursor ?? 0, room.head), NEXT_PAGE);
    link.to = Math.max(link.to, frame.to);
    link.isLive ||= !frame.more;
    await replica.changed(frame, room.epoch);
  },
  compare: async ({ room, replica, link }) => {
    const { second } = await replica.read();
    if (link !== null && second !== null) await replica.changed(room.changes(second.cursor, NEXT_PAGE), room.epoch);
  },
  "answer-with-step": async (device) => {
    const { room, link } = device;
    if (link === null || !link.isLive || link.to !== room.head) return;
    const from = room.head;
    const message = room.post({ author: ME });
    link.to = room.head;
    await device.answered(message, { from }, room.epoch);
  },
} satisfies Record<string, Make>;

/** What is asked for, and what comes over HTTP. */
const ASKED = {
  "read-older": async (device, at) => {
    const { ranges, lastSeq } = await device.replica.read();
    const before = at % 3 === 0 ? (at % (lastSeq + 1)) + 1 : (ranges.at(-1)?.from ?? 1);
    device.late = { page: device.room.before(before, PAGE), asked: { before } };
    await device.replica.history(device.late.page, device.late.asked);
  },
  "read-late": async ({ replica, late }) => {
    if (late !== null) await replica.history(late.page, late.asked);
  },
  "read-around": async ({ room, replica }, at) => {
    const message = pick(room.messages(), at);
    if (message !== undefined) await replica.history(room.around(message.seq), { around: message.seq });
  },
  begin,
  "pull-over-http": async ({ room, replica }) => {
    const record = await replica.read();
    const from = record.cursor ?? 0;
    if (!isOfThisHistory({ room, record }) || from > room.head) return;
    await replica.pulled(room.changes(from, PAGE), record.epoch);
  },
  "compare-over-http": async ({ room, replica }) => {
    const record = await replica.read();
    const from = record.second?.cursor ?? Infinity;
    if (!isOfThisHistory({ room, record }) || from > room.head) return;
    await replica.pulled(room.changes(from, PAGE), record.epoch);
  },
  "answer-post": async (device, at) => {
    await beginWhereNothingIs(device);
    await device.answered(device.room.post({ author: ME }), {}, at % 2 === 0 ? undefined : device.room.epoch);
  },
  "answer-edit": async (device, at) => {
    await beginWhereNothingIs(device);
    const message = livePick(device, at);
    if (message?.author !== ME) return;
    await device.answered(device.room.edit(message, {}), {}, at % 2 === 0 ? undefined : device.room.epoch);
  },
} satisfies Record<string, Make>;

/** What happens on the device alone. */
const DONE_HERE = {
  /** Refused, and so in the outbox until somebody looks at it: what it is about is spared. */
  "have-pin-refused": async (device, at) => {
    const { held } = await device.seen();
    const message = pick(held, at);
    if (message === undefined) return;
    const args = { id: message.id, on: true };
    await device.store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
      const id = `op${(await tx.all("outbox")).length + 1}` as OpId;
      for (const op of outboxOf({ op: "message.pin", args, refusal: REFUSED, id })) await tx.add("outbox", op);
    });
  },
  "drop-refused": ({ store }) =>
    store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
      for (const { place } of await tx.all("outbox")) tx.remove("outbox", place);
    }),
  free: async ({ store, replica }, at) => {
    const room = await replica.read();
    const last = room.ranges.at(-1);
    if (last === undefined) return;
    const heard = heardTo(room) - last.from + 1;
    const more = heard > 1 ? at % heard : 0;
    if (more === 0 && room.ranges.length === 1) return;
    await store.write({ tables: FRAME_TABLES, durability: "relaxed" }, (tx) => freeBelow(tx, room, last.from + more));
  },
  "start-search": async ({ search }, at) => {
    const reading = search.start();
    if (at % 2 === 1) await reading;
  },
  "end-search": ({ search }) => search.end(),
  "keep-search": ({ search }) => search.keep(),
  search: (device) => device.finds(),
} satisfies Record<string, Make>;

export const MOVES = { ...SAID, ...SENT, ...ASKED, ...DONE_HERE };

/** One of them, if there is one. */
function pick<T>(of: readonly T[], at: number): T | undefined {
  return of[at % Math.max(1, of.length)];
}

function livePick({ room }: ModelDevice, at: number): LiveMessage | null {
  const message = pick(room.messages(), at);
  return message === undefined || message.deleted === true ? null : message;
}

async function connect(device: ModelDevice): Promise<void> {
  const { room, replica } = device;
  const { ranges, cursor, epoch } = await replica.read();
  await replica.welcomed(room.welcome());
  device.link = { to: room.head, isLive: true };
  const isContinued = ranges.length > 0 && cursor !== null && room.continues(cursor, epoch);
  if (!isContinued) return void (await replica.snapshot(room.snapshot()));
  const frame = room.changes(cursor, PAGE);
  device.link = { to: frame.to, isLive: !frame.more };
  await replica.changed(frame, room.epoch);
}

async function begin({ room, replica }: ModelDevice): Promise<void> {
  await replica.began(room.newest(), (await replica.read()).epoch);
}

/** Nothing is posted over HTTP where the newest page of this history wasn't asked for before. */
async function beginWhereNothingIs(device: ModelDevice): Promise<void> {
  const record = await device.replica.read();
  if (!isOfThisHistory({ room: device.room, record })) await begin(device);
}
