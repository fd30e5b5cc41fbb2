import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { waits } from "./needs.ts";

const create: Waiting = { op: "channel.create", args: { id: "c", name: "new", access: "public" } };
const other = "channel:w_d" as RoomName;
const who = (...ops: Waiting[]): [string, string][] => [...waits(outboxOf(...ops))];

describe("what an op waits for", () => {
  it("[OP12] ops of a channel made here wait until the workspace knows it", () => {
    expect(who(create, post("m"), { ...post("x"), room: other })).toEqual([["op2", "op1"]]);
  });

  it("[OP12] also while the creation is under way", () => {
    expect(who({ ...create, n: 1 }, post("m"))).toEqual([["op2", "op1"]]);
  });

  it("ops of the workspace go behind the creation by their order alone", () => {
    expect(who(create, { op: "channel.update", args: { id: "c", topic: "t" } })).toEqual([]);
  });

  it("[OP9] posts and changes of a channel whose creation was refused wait with it", () => {
    const refused = { ...create, refusal: REFUSED };
    expect(who(refused, post("m"), { op: "channel.update", args: { id: "c", topic: "t" } })).toEqual([
      ["op2", "op1"],
      ["op3", "op1"],
    ]);
  });

  it("[OP9] a refused post holds up its replies, edits and reactions, and theirs, and nothing else", () => {
    const ops = [
      { ...post("m"), refusal: REFUSED },
      post("reply", { root: "m" }),
      { op: "message.edit" as const, args: { id: "m", text: "t", base: 0 } },
      { op: "message.react" as const, args: { id: "reply", emoji: "👍", on: true } },
      post("free"),
      { op: "message.delete" as const, args: { id: "elsewhere" } },
    ];
    expect(who(...ops)).toEqual([
      ["op2", "op1"],
      ["op3", "op1"],
      ["op4", "op2"],
    ]);
  });

  it("[OP9] a reaction to an answer waits for that where the answer waits for a message that was given back behind it", () => {
    const ops = [
      post("answer", { root: "m" }),
      { op: "message.react" as const, args: { id: "answer", emoji: "👍", on: true } },
      post("m"),
    ];
    expect(who(...ops)).toEqual([
      ["op1", "op3"],
      ["op2", "op1"],
    ]);
  });

  it("what is numbered or refused waits for nothing", () => {
    const refused = { ...create, refusal: REFUSED };
    expect(who(refused, { ...post("m"), n: 1 }, { ...post("x"), refusal: REFUSED })).toEqual([]);
  });

  it("an edit waits for the answer to the one before it, on top of which it was written", () => {
    const edit = (id: string): Waiting => ({ op: "message.edit", args: { id, text: "t", base: 0 } });
    expect(who({ ...edit("m"), n: 4 }, edit("m"), edit("other"))).toEqual([["op2", "op1"]]);
    expect(who({ ...edit("m"), refusal: REFUSED }, edit("m"))).toEqual([]);
    // Neither has a number any more: the room forgot this device.
    expect(who(edit("m"), edit("m"))).toEqual([["op2", "op1"]]);
  });

  it("[OP17] so does a read position, in its channel", () => {
    const read = (channel: string): Waiting => ({
      op: "read.set",
      args: { channel, seq: 1, base: 0 },
    });
    expect(who({ ...read("c"), n: 4 }, read("c"), read("d"), { ...post("m"), n: 1 }, post("n"))).toEqual([
      ["op2", "op1"],
    ]);
  });

  it("[OP17] so does a draft, which grew out of what the one before it says", () => {
    const draft = (channel: string, text = "t"): Waiting => ({ op: "draft.set", args: { channel, text, over: "" } });
    expect(who({ ...draft("c"), n: 4 }, draft("c"), draft("d"))).toEqual([["op2", "op1"]]);
    expect(who({ ...draft("c"), refusal: REFUSED }, draft("c"))).toEqual([]);
    // Emptied it goes at once: what was sent would stand on the person's other devices.
    expect(who({ ...draft("c"), n: 4 }, draft("c", ""), draft("c"))).toEqual([["op3", "op2"]]);
  });

  it("a reply to an open post goes behind it by order", () => {
    expect(who(post("m"), post("reply", { root: "m" }))).toEqual([]);
  });
});

describe("what opens and closes a channel", () => {
  const archive = (on: boolean): Waiting => ({ op: "channel.archive", args: { id: "c", on } });
  const leave: Waiting = { op: "channel.leave", args: { id: "c" } };

  it("what is written in a channel waits until it is brought back", () => {
    expect(who(archive(false), post("m"))).toEqual([["op2", "op1"]]);
  });

  it("[OP9] not for a bringing back that was refused: somebody else may have done it, and the room says so", () => {
    expect(who({ ...archive(false), refusal: REFUSED }, post("m"))).toEqual([]);
  });

  it("archiving or leaving it goes behind what was written in it", () => {
    expect(who(post("m"), { ...post("n"), n: 1 }, archive(true))).toEqual([["op3", "op2"]]);
    expect(who({ ...post("x"), room: other }, leave, post("m"), leave)).toEqual([["op4", "op3"]]);
  });

  it("nothing waits for what may never go", () => {
    expect(who({ ...post("m"), refusal: REFUSED }, post("reply", { root: "m" }), archive(true))).toEqual([
      ["op2", "op1"],
    ]);
  });
});
