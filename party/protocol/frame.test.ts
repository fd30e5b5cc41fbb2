import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDownFrame, readUpFrame, writeFrame } from "./frame.ts";
import type { DownFrame } from "./down.ts";
import type { UpFrame } from "./up.ts";

const hello = { t: "hello", v: 1, token: "x", device: "d", since: null };

describe("frames from a client", () => {
  it.each<[string, unknown, "ok" | "unreadable" | "unknown"]>([
    ["a hello", hello, "ok"],
    ["a hello with fields from a newer version", { ...hello, colour: "teal" }, "ok"],
    ["a hello without token", { ...hello, token: undefined }, "unreadable"],
    ["a hello with a cursor below zero", { ...hello, since: -1 }, "unreadable"],
    ["a hello with a device id out of the alphabet", { ...hello, device: "a b" }, "unreadable"],
    ["history both before and around", { t: "history", before: 1, around: 2 }, "unreadable"],
    ["history neither before nor around", { t: "history" }, "unreadable"],
    ["history with a limit out of range, to be clamped", { t: "history", before: 9, limit: 1e6 }, "ok"],
    ["an op of an unknown name, to be refused by number", { t: "op", n: 1, id: "o", op: "x.y", args: {}, at: 0 }, "ok"],
    ["an op without arguments", { t: "op", n: 1, id: "o", op: "x.y", at: 0 }, "unreadable"],
    ["an op with number 0", { t: "op", n: 0, id: "o", op: "x", args: {}, at: 0 }, "unreadable"],
    ["an op with half a number", { t: "op", n: 1.5, id: "o", op: "x", args: {}, at: 0 }, "unreadable"],
    ["a frame of an unknown kind", { t: "dance" }, "unknown"],
    ["a kind named like a property of every object", { t: "constructor" }, "unknown"],
    ["no kind", { v: 1 }, "unreadable"],
    ["a kind that is no string", { t: 7 }, "unreadable"],
    ["a list", [hello], "unreadable"],
    ["null", null, "unreadable"],
  ])("%s", (_what, value, outcome) => {
    const read = readUpFrame(JSON.stringify(value));
    expect(read.ok ? "ok" : read.error).toBe(outcome);
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.object().map((o) => JSON.stringify({ ...hello, ...o })),
        ),
        (text) => {
          readUpFrame(text);
          readDownFrame(text);
        },
      ),
    );
  });

  it("come out as they went in", () => {
    const frames: UpFrame[] = [
      { t: "pull", since: 4 },
      { t: "history", before: 9, limit: 50 },
      { t: "auth", token: "a.b.c", q: 3 },
    ];
    expect(frames.map((frame) => readUpFrame(writeFrame(frame)))).toEqual(frames.map((value) => ({ ok: true, value })));
  });
});

describe("frames from a room", () => {
  const message = { kind: "message", id: "m", rev: 2, seq: 1, author: "u", createdAt: 5, text: "hi" };

  it("leave out kinds of entities that this version doesn't know, so that a newer room may add some", () => {
    const text = JSON.stringify({ t: "changes", from: 0, to: 2, more: false, entities: [message, { kind: "canvas" }] });
    const read = readDownFrame(text);
    expect(read.ok && (read.value as Extract<DownFrame, { t: "changes" }>).entities).toEqual([message]);
  });

  it("are unreadable when an entity of a known kind is broken: it must not be stored", () => {
    const text = JSON.stringify({ t: "changes", from: 0, to: 2, more: false, entities: [{ ...message, seq: "1" }] });
    expect(readDownFrame(text)).toEqual({ ok: false, error: "unreadable" });
  });
});
