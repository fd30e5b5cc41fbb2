// A timeline's window: grows by what is new to it, follows commits meanwhile, lets go and comes back.
import { beforeEach, describe, expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import type { MessageId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { memoryBackend } from "./memory.ts";
import { putMessage } from "./messages.ts";
import { emptyRoom } from "./rooms.ts";
import { createStore, type Store } from "./store.ts";
import { openWindow, type Naming, type TimelineWindow } from "./timeline-window.ts";
import type { Backend } from "./tx.ts";

const ROOM = "channel:w_general" as RoomName;
const COUNT = 500;

let store: Store;
let window: TimelineWindow;
let pending: Naming[];
let reported: unknown[];
/** How many records each read of messages answered. */
let reads: number[];
/** Runs once, when the next messages were read and aren't shown yet. */
let meanwhile: (() => void) | null;

const message = (seq: number, text = `${seq}`): Message =>
  ({ kind: "message", id: `m${seq}`, rev: seq, seq, author: "olga", createdAt: seq, text }) as unknown as Message;

const shown = (): number[] => window.messages().map(({ seq }) => seq);
const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Counts what is read. */
function counted(backend: Backend): Backend {
  return {
    ...backend,
    read: async (tables, body) => {
      const value = await backend.read(tables, (tx) =>
        body({
          ...tx,
          all: async (table, range, limit) => {
            const found = await tx.all(table, range, limit);
            if (table === "messages") reads.push(found.length);
            return found;
          },
        }),
      );
      meanwhile?.();
      meanwhile = null;
      return value;
    },
  };
}

const put = (changed: Message): Promise<void> =>
  store.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    putMessage(tx, ROOM, changed);
    tx.put("rooms", { ...emptyRoom(ROOM), ranges: [{ from: 1, to: null }], lastSeq: COUNT + 1 });
  });

beforeEach(async () => {
  reads = [];
  reported = [];
  pending = [];
  meanwhile = null;
  const nobody = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
  store = createStore(counted(memoryBackend()), nobody);
  await store.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    for (const seq of span(1, COUNT)) putMessage(tx, ROOM, message(seq));
    tx.put("rooms", { ...emptyRoom(ROOM), ranges: [{ from: 1, to: null }], lastSeq: COUNT });
  });
  window = openWindow({
    store,
    room: ROOM,
    pending: () => pending,
    changed: () => undefined,
    report: (error) => reported.push(error),
  });
  await window.read({ from: COUNT - 59, to: null });
});

describe("a timeline's window", () => {
  it("grows by reading what isn't shown yet, however long it is", async () => {
    await window.read({ from: COUNT - 159, to: null });
    await window.read({ from: COUNT - 259, to: null });
    expect(shown()).toEqual(span(COUNT - 259, COUNT));
    expect(reads).toEqual([60, 100, 100]);
  });

  it("shows what is committed while it grows", async () => {
    meanwhile = () => {
      window.take([message(COUNT - 100, "edited"), message(COUNT - 10, "edited"), message(COUNT + 1)]);
    };
    await window.read({ from: COUNT - 159, to: null });
    expect(shown()).toEqual(span(COUNT - 159, COUNT + 1));
    const texts = window
      .messages()
      .flatMap((held) => (held.deleted === true || held.text !== "edited" ? [] : [held.seq]));
    expect(texts).toEqual([COUNT - 100, COUNT - 10]);
  });

  it("reads all of it where what was shown went while it grew", async () => {
    meanwhile = window.dropAll;
    await window.read({ from: COUNT - 159, to: null });
    expect(shown()).toEqual(span(COUNT - 159, COUNT));
  });

  it("lets go of what lies above, and grows there again", async () => {
    await window.read({ from: COUNT - 299, to: null });
    window.dropBelow(COUNT - 199);
    expect(shown()).toEqual(span(COUNT - 199, COUNT));
    expect(window.places()).toEqual({ from: COUNT - 199, to: null });
    window.take([message(COUNT - 250, "edited"), message(COUNT + 1)]);
    expect(shown()).toEqual(span(COUNT - 199, COUNT + 1));
    await window.read({ from: COUNT - 299, to: null });
    expect(shown()).toEqual(span(COUNT - 299, COUNT + 1));
  });

  it("shows all that was asked for last, also where it let go while reading", async () => {
    const growing = window.read({ from: COUNT - 299, to: null });
    await Promise.resolve();
    window.dropBelow(COUNT - 9);
    await growing;
    expect(shown()).toEqual(span(COUNT - 299, COUNT));
  });

  it("shows a message once that changed twice while it was read", async () => {
    meanwhile = () => {
      window.take([message(COUNT - 10, "edited")]);
      window.take([message(COUNT - 10, "edited again")]);
    };
    await window.read({ from: COUNT - 159, to: null });
    expect(shown()).toEqual(span(COUNT - 159, COUNT));
    expect(window.messages().find(({ seq }) => seq === COUNT - 10)).toMatchObject({ text: "edited again" });
  });

  it("still knows what a reply quotes when it let go of that", async () => {
    window.take([{ ...message(COUNT + 1), root: "m450" } as Message]);
    window.dropBelow(COUNT - 9);
    expect(window.messageOf("m450" as MessageId)).toMatchObject({ text: "450" });
    window.take([message(450, "edited")]);
    expect(window.messageOf("m450" as MessageId)).toMatchObject({ text: "edited" });
  });

  it("reads what a reply that waits quotes, wherever that stands, and keeps it", async () => {
    pending = [{ root: "m1" as MessageId }, { root: "waits itself" as MessageId }];
    window.take([]);
    await window.settled();
    expect(window.messageOf("m1" as MessageId)).toMatchObject({ text: "1" });
    pending = [{ root: "m450" as MessageId }];
    window.dropBelow(COUNT - 9);
    expect(window.messageOf("m450" as MessageId)).toMatchObject({ text: "450" });
  });

  it("reads anew what replies quote when all of it is read anew", async () => {
    await put({ ...message(COUNT + 1), root: "m1" } as Message);
    await window.read({ from: COUNT - 59, to: null });
    expect(window.messageOf("m1" as MessageId)).toMatchObject({ text: "1" });
    await put(message(1, "edited, and nobody told"));
    await window.read({ from: COUNT - 59, to: null });
    expect(window.messageOf("m1" as MessageId)).toMatchObject({ text: "edited, and nobody told" });
  });

  it("reports that what a reply quotes couldn't be read, and goes on", async () => {
    const closing = new DOMException("closing", "InvalidStateError");
    meanwhile = () => {
      throw closing;
    };
    window.take([{ ...message(COUNT + 1), root: "m1" } as Message]);
    await window.settled();
    expect(reported).toEqual([closing]);
    meanwhile = null;
    window.take([{ ...message(COUNT + 2), root: "m2" } as Message]);
    await window.settled();
    expect(window.messageOf("m2" as MessageId)).toMatchObject({ text: "2" });
  });

  it("can be read again after a read that failed", async () => {
    meanwhile = () => {
      meanwhile = null;
      throw new DOMException("closing", "InvalidStateError");
    };
    await expect(window.read({ from: COUNT - 159, to: null })).rejects.toThrow("closing");
    expect(window.isReading()).toBe(false);
    expect(shown()).toEqual(span(COUNT - 59, COUNT));
    await window.read({ from: COUNT - 159, to: null });
    expect(shown()).toEqual(span(COUNT - 159, COUNT));
  });
});
