import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChannelId, MessageId, WorkspaceId } from "#protocol/ids.ts";
import { holdWords } from "./last-words.ts";
import { editsIn, giveUp, readUnfinished, unfinishedAsStored, unfinishedLines } from "./unfinished.ts";

beforeEach(() => {
  vi.stubGlobal("StorageEvent", Event);
  vi.stubGlobal("dispatchEvent", () => true);
});
afterEach(() => vi.unstubAllGlobals());

const EDIT = { id: "m1", text: "Half an edit", over: "As it was", isSent: false, channel: "c1" };
const MENDED = { id: "m3", text: "Half mended", over: "As it was refused", isSent: false, channel: "c1" };
const LEFT = { id: "m2", text: "Half a message", over: "", isSent: false };

/** Like the browser's: what is stored are its own properties. */
function storageOf(places: Readonly<Record<string, unknown>>): () => Storage {
  const stored = Object.fromEntries(Object.entries(places).map(([place, words]) => [place, JSON.stringify(words)]));
  const calls = {
    getItem: (place: string) => stored[place] ?? null,
    removeItem: (place: string) => void delete stored[place],
  };
  return () =>
    new Proxy(stored, { get: (_, name) => calls[name as keyof typeof calls] ?? stored[name as string] }) as never;
}

const read = (places: () => Storage) => readUnfinished(unfinishedAsStored(places, "olga"), "olga");

const PLACES = {
  "causeway.words.olga.m1.12": [EDIT],
  "causeway.words.olga.c1.34": [LEFT],
  "causeway.words.olga.op1.34": [MENDED],
  "causeway.words.mara.m1.12": [{ ...EDIT, text: "Hers" }],
  "causeway.words.olga.broken.12": "nothing",
  "causeway.answered.olga.c1": "m9",
};

test("what a person began and didn't finish is found, whichever tab left it, and nobody else's", () => {
  expect(read(storageOf(PLACES)).map(({ text, of, isEdit, channel }) => [text, of, isEdit, channel])).toEqual([
    ["Half a message", "c1", false, undefined],
    ["Half an edit", "m1", true, "c1"],
    ["Half mended", "op1", true, "c1"],
  ]);
});

test("a workspace lists the edits of its own, but for what stands at the change that it mends", () => {
  const texts = read(
    storageOf({
      ...PLACES,
      "causeway.words.olga.op2.34": [{ ...MENDED, text: "Here", workspace: "w1" }],
      "causeway.words.olga.op3.34": [{ ...MENDED, text: "Elsewhere", workspace: "w2" }],
      "causeway.words.olga.m4.34": [{ ...EDIT, text: "An edit elsewhere", workspace: "w2" }],
    }),
  );
  const refusal = { code: "archived", detail: "#launch is archived." };
  const edit = (op: string) => ({ op, change: { op: "message.edit", args: { id: "m9" } }, refusal });
  const post = (id: string, more: object = {}) => ({
    op: "op9",
    change: { op: "message.post", args: { id } },
    ...more,
  });
  const listed = (workspace: string, ...items: object[]) =>
    editsIn(texts, workspace as WorkspaceId, items as Parameters<typeof editsIn>[2]).map(({ text }) => text);
  expect(listed("w1", edit("op1"))).toEqual(["Half an edit", "Here"]);
  expect(listed("w2", edit("op3"))).toEqual(["Half an edit", "An edit elsewhere", "Half mended"]);
  // A refused message is mended in its own place, in the timeline and here; one that waits is edited there alone.
  expect(listed("w1", edit("op1"), post("m1", { refusal }))).toEqual(["Here"]);
  expect(listed("w1", edit("op1"), post("m1"))).toEqual(["Half an edit", "Here"]);
});

test("what is given up is gone, and nothing else", () => {
  const places = storageOf(PLACES);
  giveUp(
    places,
    read(places).find(({ isEdit }) => isEdit)!,
  );
  expect(read(places).map(({ text }) => text)).toEqual(["Half a message", "Half mended"]);
});

test("the copy that one saves holds its words and what they are an edit of", () => {
  expect(unfinishedLines(read(storageOf(PLACES))).map((line) => JSON.parse(line) as unknown)).toEqual([
    { kind: "unfinished text", message: "m2", text: "Half a message" },
    { kind: "unfinished edit", message: "m1", channel: "c1", text: "Half an edit" },
    { kind: "unfinished edit", message: "m3", channel: "c1", text: "Half mended" },
  ]);
});

test("where the browser keeps nothing, what this page holds is found and given up all the same", () => {
  const blocked = (): Storage => {
    throw new Error("denied");
  };
  const edit = { ...EDIT, id: EDIT.id as MessageId, channel: EDIT.channel as ChannelId };
  holdWords("olga.m1", edit);
  holdWords("mara.m1", { ...edit, text: "Hers" });
  const [found, ...others] = read(blocked);
  expect([found?.text, found?.isEdit, others]).toEqual(["Half an edit", true, []]);
  giveUp(blocked, found!);
  expect(read(blocked)).toEqual([]);
});
