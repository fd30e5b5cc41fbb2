// The note of what waits, and what becomes of it when the database is another one.
import { describe, expect, it } from "vitest";
import { memoryNotes } from "../test/node-ports.ts";
import type { DraftRecord, OutboxRecord } from "../store/schema.ts";
import {
  changeLost,
  countOf,
  forgetDone,
  forgetLost,
  forgetWaiting,
  lostAsStored,
  lostLines,
  readLost,
  readNote,
  sinceOf,
  waitingOf,
  without,
  withLost,
  writeNote,
  type Lost,
} from "./waiting.ts";

const ROOM = "channel:w_general";

function op(place: number, more: Partial<Record<keyof OutboxRecord, unknown>>): OutboxRecord {
  return { place, version: 0, id: `op${place}`, room: ROOM, at: place, ...more } as OutboxRecord;
}

const post = (place: number, text: string): OutboxRecord =>
  op(place, { op: "message.post", args: { id: `m${place}`, text } });

describe("what is noted", () => {
  it("is what a person waits for: texts as they are, of all else only that there is such a thing", () => {
    const draft = { room: "workspace:w", op: "draft.set" };
    const ops = [
      post(1, "one"),
      op(2, { op: "message.edit", args: { id: "m0", text: "mended", base: 3 } }),
      op(3, { op: "message.react", args: { id: "m0", emoji: "👍", on: true } }),
      op(4, { op: "read.set", room: "workspace:w", args: { channel: "general", seq: 4, base: 0 } }),
      op(5, { ...draft, args: { channel: "general", text: "half" } }),
      op(6, { ...draft, args: { channel: "other", text: "" } }),
    ];
    const long = { workspace: "w", channel: "other", root: "", text: "long", at: 7 } as DraftRecord;
    const noted = waitingOf(ops, [long]);
    expect(noted.texts.map(({ kind, room, message, text }) => [kind, room, message, text])).toEqual([
      ["post", ROOM, "m1", "one"],
      ["edit", ROOM, "m0", "mended"],
      ["draft", ROOM, null, "half"],
      ["draft", "channel:w_other", null, "long"],
    ]);
    expect(noted.rest).toEqual([{ op: "op3", at: 3 }]);
    expect([countOf(noted), sinceOf(noted)]).toEqual([5, 1]);
  });

  it("holds the newest texts within a bound, and that there were older ones", () => {
    const noted = waitingOf(
      [post(1, "a".repeat(30_000)), post(2, "b".repeat(30_000)), post(3, "c".repeat(30_000))],
      [],
    );
    expect(noted.texts.map(({ op: id }) => id)).toEqual(["op2", "op3"]);
    expect(noted.rest).toEqual([{ op: "op1", at: 1 }]);
  });

  it("goes when nothing waits, and when it can't be brought up to date", () => {
    const notes = memoryNotes();
    const write = (to: typeof notes, ops: readonly OutboxRecord[]): void =>
      writeNote(to, "me", { ...waitingOf(ops, []), database: "d" });
    write(notes, [post(1, "one")]);
    expect(readNote(notes, "me")?.texts).toHaveLength(1);
    write(notes, []);
    expect(readNote(notes, "me")).toBeNull();
    write(notes, [post(1, "one")]);
    const full: typeof notes = () => ({
      ...notes(),
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    });
    write(full, [post(2, "two")]);
    expect(readNote(notes, "me")).toBeNull();
  });

  it("is nothing where the browser keeps none, or keeps what isn't ours", () => {
    const blocked = (): never => {
      throw new DOMException("blocked", "SecurityError");
    };
    expect(changeLost(blocked, "me", (was) => withLost(was, waitingOf([post(1, "one")], [])))).not.toBeNull();
    expect(readLost(lostAsStored(blocked, "me"))).toBeNull();
    expect(readLost("[1, 2")).toBeNull();
    expect(readLost('{"texts": 1}')).toBeNull();
  });
});

describe("what is lost", () => {
  const two = waitingOf([post(1, "one"), post(2, "two")], []);

  it("is added to what was lost before, each once, and the person hears of what is new", () => {
    const told: Lost = { ...withLost(null, two), isTold: true };
    expect(withLost(told, two)).toEqual(told);
    const more = withLost(told, waitingOf([post(2, "two"), post(3, "three")], []));
    expect(more.texts.map(({ op: id }) => id)).toEqual(["op1", "op2", "op3"]);
    expect(more.isTold).toBe(false);
  });

  it("has its texts, with where they were to stand, in the copy that one saves", () => {
    const reply = op(4, { op: "message.post", args: { id: "m4", root: "m1", text: "four" } });
    const lost = withLost(null, waitingOf([post(1, "one"), reply], []));
    expect(lostLines(lost).map((line) => JSON.parse(line) as unknown)).toEqual([
      { kind: "noted post", channel: "general", message: "m1", text: "one", at: 1 },
      { kind: "noted post", channel: "general", root: "m1", message: "m4", text: "four", at: 4 },
    ]);
    expect(lostLines(null)).toEqual([]);
  });

  it("is none any more when all of it turned up", () => {
    const notes = memoryNotes();
    changeLost(notes, "me", (was) => withLost(was, two));
    expect(changeLost(notes, "me", (was) => without(new Set(["op1"]), was))?.texts).toHaveLength(1);
    expect(changeLost(notes, "me", (was) => without(new Set(["op2"]), was))).toBeNull();
    expect(lostAsStored(notes, "me")).toBeNull();
  });

  it("stays with its person at a sign-out, unless they give it up, and is nobody else's", () => {
    const notes = memoryNotes();
    changeLost(notes, "me", (was) => withLost(was, two));
    forgetWaiting(notes, "me");
    expect(readLost(lostAsStored(notes, "me"))).not.toBeNull();
    expect(readLost(lostAsStored(notes, "you"))).toBeNull();
    forgetLost(notes, "me");
    expect(lostAsStored(notes, "me")).toBeNull();
  });

  it("goes once more where it was done with and stands there again; what was written since stays", () => {
    const notes = memoryNotes();
    const stands = (): (string[] | undefined)[] =>
      [readNote(notes, "me"), readLost(lostAsStored(notes, "me"))].map((was) => was?.texts.map(({ text }) => text));
    writeNote(notes, "me", { ...two, database: "d" });
    changeLost(notes, "me", (was) => withLost(was, two));
    forgetDone(notes, "me", {});
    expect(stands()).toEqual([
      ["one", "two"],
      ["one", "two"],
    ]);
    // Taken away with nothing in it: what had been lost before still is.
    forgetDone(notes, "me", { clearedAt: 1 });
    expect(stands()).toEqual([["two"], ["one", "two"]]);
    forgetDone(notes, "me", { clearedAt: 2, givenUpAt: 1 });
    expect(stands()).toEqual([undefined, ["two"]]);
  });
});
