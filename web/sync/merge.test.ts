import { describe, expect, it } from "vitest";
import type { Lookup } from "#protocol/ops/op.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { UserId } from "#protocol/ids.ts";
import type { OutboxRecord } from "../store/schema.ts";
import { change, CHANNEL, DIRECTORY, outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { merge } from "./merge.ts";
import type { Merged } from "./taken-back.ts";

const ME = "olga" as UserId;
const edit = (id: string, text: string, base = 0) => change("message.edit", { id, text, base });
const react = (id: string, on: boolean) => change("message.react", { id, emoji: "👍", on });
const remove = (id: string) => change("message.delete", { id });

/** Messages as the room has them, by id. */
function held(...ids: readonly string[]): Lookup {
  const message = (id: string) => ({ kind: "message", id, rev: 7, seq: 1, author: ME, createdAt: 0, text: "old" });
  return ((kind, id) => (kind === "message" && ids.includes(id) ? message(id) : undefined)) as Lookup;
}

function merged(ops: readonly Waiting[], to: AnyOp, confirmed: Lookup = held(), isComing = false): Merged {
  const room = to.op.startsWith("message.") ? CHANNEL : DIRECTORY;
  return merge({ outbox: outboxOf(...ops), room, me: ME, confirmed, isComing }, to);
}

const ids = (ops: readonly OutboxRecord[]): string[] => ops.map(({ id }) => id);

describe("a change to what is still open", () => {
  it("[OP10] an edit of a message that never left changes the message", () => {
    const { removes, puts, appends } = merged([post("m", { mentions: ["olga"] })], edit("m", "better"));
    expect(puts).toMatchObject([{ id: "op1", op: "message.post", args: { id: "m", text: "better" } }]);
    expect(puts[0]?.args).not.toHaveProperty("mentions");
    expect([removes, appends]).toEqual([[], null]);
  });

  it("[OP10] an edit of a numbered message is an op behind it", () => {
    expect(merged([{ ...post("m"), n: 1 }], edit("m", "better"))).toEqual({
      removes: [],
      puts: [],
      appends: edit("m", "better"),
    });
  });

  it("[OP10] the last of several edits counts, from the rev that the first began with", () => {
    const { puts } = merged([edit("m", "one", 7)], edit("m", "two", 9), held("m"));
    expect(puts).toMatchObject([{ id: "op1", args: { text: "two", base: 7 } }]);
  });

  it("an edit back to what stands there leaves nothing to send", () => {
    expect(merged([edit("m", "one")], edit("m", "old"), held("m"))).toMatchObject({
      removes: [{ id: "op1" }],
      appends: null,
    });
    expect(merged([], edit("m", "old"), held("m")).appends).toBeNull();
    expect(merged([], edit("m", "old")).appends).not.toBeNull();
  });

  it.each<[what: string, change: AnyOp]>([
    ["a topic", change("channel.update", { id: "c", topic: "north" })],
    ["an archiving", change("channel.archive", { id: "c", on: true })],
    ["a leaving", change("channel.leave", { id: "c" })],
    ["a star taken away", change("channel.prefs", { channel: "c", starred: false })],
    ["a title", change("member.update", { title: "Mate" })],
    ["a role", change("member.role", { user: "mara", role: "admin" })],
    ["a person taken out", change("channel.members", { id: "c", add: [], remove: ["mara"] })],
  ])("%s isn't taken for void while what it is about may still come, as to who has just signed in again", (_, set) => {
    expect(merged([], set, held(), true)).toEqual({ removes: [], puts: [], appends: set });
    expect(merged([], set).appends).toBeNull();
  });

  it("what takes back what waits stands in its place while that may still come, and takes nothing along", () => {
    const star = (starred: boolean) => change("channel.prefs", { channel: "c", starred });
    const { removes, puts, appends } = merged([star(true)], star(false), held(), true);
    expect([removes, appends]).toEqual([[], null]);
    expect(puts).toMatchObject([{ id: "op1", args: { starred: false } }]);
  });

  it("[OP10] an edit behind a numbered one stays an op of its own", () => {
    expect(merged([{ ...edit("m", "one"), n: 4 }], edit("m", "two"), held("m")).appends).toEqual(edit("m", "two"));
    expect(merged([{ ...edit("m", "one"), n: 4 }], edit("m", "one"), held("m")).appends).toBeNull();
    expect(merged([{ ...edit("m", "one"), n: 4 }, edit("m", "two")], edit("m", "three"), held("m"))).toMatchObject({
      puts: [{ id: "op2", args: { text: "three" } }],
      appends: null,
    });
  });

  it("[OP10] deleting a message that never left leaves nothing of it", () => {
    const pin = change("message.pin", { id: "m", on: true });
    const { removes, puts, appends } = merged([post("m"), react("m", true), pin, post("other")], remove("m"));
    expect(ids(removes).toSorted()).toEqual(["op1", "op2", "op3"]);
    expect([puts, appends]).toEqual([[], null]);
  });

  it("[OP10] an answer to a message that never left and was deleted is posted by itself", () => {
    const { puts } = merged([post("m"), post("answer", { root: "m", toChannel: true })], remove("m"));
    expect(puts.map(({ args }) => args)).toEqual([{ id: "answer", text: "answer" }]);
  });

  it("[OP9] an answer to a refused message that is deleted stays in the Outbox, with the reason", () => {
    const { puts, removes } = merged([{ ...post("m"), refusal: REFUSED }, post("answer", { root: "m" })], remove("m"));
    expect(puts).toMatchObject([{ args: { id: "answer", root: "m" }, refusal: { code: "not_found" } }]);
    expect(ids(removes)).toEqual(["op1"]);
  });

  it("a deletion that was refused is outdated by the next one, which goes in its place", () => {
    const before = [
      { ...remove("m"), refusal: REFUSED },
      { ...remove("other"), refusal: REFUSED },
    ];
    expect(merged(before, remove("m"), held("m"))).toMatchObject({ removes: [{ id: "op1" }], appends: remove("m") });
  });

  it("a deletion keeps what it takes along, and what the one before it kept", () => {
    const maybe = { ...post("m"), maybeDelivered: true } as const;
    expect(ids(merged([maybe, edit("m", "x")], remove("m")).took ?? [])).toEqual(["op1", "op2"]);
    const took = outboxOf(edit("m", "first"));
    const before = [edit("m", "second"), { ...remove("m"), refusal: REFUSED, took }];
    expect(merged(before, remove("m"), held("m")).took).toMatchObject([
      { args: { text: "first" } },
      { args: { text: "second" } },
    ]);
  });

  it("[AU4] deleting one that may have been delivered is an op, and waits for nothing", () => {
    const maybe = { ...post("m"), refusal: { ...REFUSED, maybeDelivered: true } };
    expect(merged([maybe], remove("m"))).toMatchObject({ removes: [{ id: "op1" }], appends: remove("m") });
  });

  it("[OP10] what lost its number may have been delivered, so it goes as it was and changes go behind it", () => {
    const maybe = { maybeDelivered: true } as const;
    expect(merged([{ ...post("m"), ...maybe }], edit("m", "later"))).toMatchObject({
      puts: [],
      appends: edit("m", "later"),
    });
    expect(merged([{ ...post("m"), ...maybe }], remove("m"))).toMatchObject({
      removes: [{ id: "op1" }],
      appends: remove("m"),
    });
    expect(merged([{ ...post("m"), ...maybe, n: 7 }], remove("m"))).toMatchObject({
      removes: [],
      appends: remove("m"),
    });
    expect(merged([{ ...react("m", true), ...maybe }], react("m", false), held("m"))).toMatchObject({
      removes: [],
      appends: react("m", false),
    });
  });

  it("[OP10] deleting a delivered message takes its open changes along, and happens once", () => {
    const { removes, appends, took } = merged([edit("m", "x"), react("m", true)], remove("m"), held("m"));
    expect([ids(removes), appends, ids(took ?? [])]).toEqual([["op1", "op2"], remove("m"), ["op1", "op2"]]);
    expect(merged([{ ...remove("m"), n: 3 }], remove("m"), held("m")).appends).toBeNull();
  });

  it("a reaction and its taking back are nothing; the same twice is one", () => {
    expect(merged([react("m", true)], react("m", false), held("m"))).toMatchObject({
      removes: [{ id: "op1" }],
      appends: null,
    });
    expect(merged([react("m", true)], react("m", true), held("m"))).toMatchObject({ removes: [], appends: null });
  });

  it("where the message isn't known here, the last word is sent", () => {
    expect(merged([react("m", true)], react("m", false))).toMatchObject({ puts: [{ args: { on: false } }] });
  });

  it("preferences of a channel come together, without what is so anyway", () => {
    const prefs = (args: object): AnyOp => change("channel.prefs", { channel: "c", ...args });
    expect(merged([prefs({ starred: true })], prefs({ muted: true })).puts).toMatchObject([
      { args: { starred: true, muted: true } },
    ]);
    const { puts } = merged([prefs({ starred: true, muted: true })], prefs({ starred: false }));
    expect(puts.map(({ args }) => args)).toEqual([{ channel: "c", muted: true }]);
  });

  it("a channel nobody knows is made with its later name and topic, and a refused one stays so until it is mended", () => {
    const create = change("channel.create", { id: "c", name: "red", access: "public" });
    const rename = change("channel.update", { id: "c", name: "blue" });
    expect(merged([create], rename)).toMatchObject({ puts: [{ op: "channel.create", args: { name: "blue" } }] });
    expect(merged([{ ...create, maybeDelivered: true }], rename)).toMatchObject({ puts: [], appends: rename });
    const { puts } = merged([{ ...create, refusal: REFUSED }], change("channel.update", { id: "c", topic: "t" }));
    expect(puts).toMatchObject([{ args: { name: "red", topic: "t" }, refusal: REFUSED }]);
    expect(merged([{ ...create, n: 1 }], rename).appends).toEqual(rename);
  });

  it("a name is not taken out of turn: another channel may have left it free meanwhile", () => {
    const rename = (id: string, name: string): AnyOp => change("channel.update", { id, name });
    const known = ((kind, id) =>
      kind === "channel" ? { kind, id, name: `was ${id}`, rev: 1, topic: "" } : undefined) as Lookup;
    const free = [rename("c", "one"), rename("d", "two")];
    expect(merged(free, rename("c", "was d"), known).appends).toEqual(rename("c", "was d"));
    expect(merged([rename("c", "one")], rename("c", "three"), known).puts).toMatchObject([{ args: { name: "three" } }]);
  });

  it("a refused setting is outdated by a new one, a refused text is not", () => {
    const topic = (text: string): AnyOp => change("channel.update", { id: "c", topic: text });
    expect(ids(merged([{ ...topic("a"), refusal: REFUSED }], topic("b")).removes)).toEqual(["op1"]);
    expect(merged([{ ...edit("m", "a"), refusal: REFUSED }], edit("m", "b"), held("m")).removes).toEqual([]);
  });

  it("an op of another room is another matter", () => {
    expect(merged([{ ...post("m"), room: DIRECTORY }], edit("m", "x")).appends).not.toBeNull();
  });
});
