import { describe, expect, it } from "vitest";
import { change, CHANNEL, DIRECTORY, outboxOf, post, REFUSED } from "../test/ops.ts";
import { merge } from "./merge.ts";

const edit = (id: string, text: string, base = 0) => change("message.edit", { id, text, base });
const react = (id: string, on: boolean) => change("message.react", { id, emoji: "👍", on });

describe("a change to what is still open", () => {
  it("[OP10] an edit of a message that never left changes the message", () => {
    const outbox = outboxOf(post("m", { mentions: ["olga"] }));
    const { replaces, appends } = merge(outbox, CHANNEL, edit("m", "better"));
    expect(replaces?.by).toEqual(change("message.post", { id: "m", text: "better" }));
    expect(appends).toBe(false);
  });

  it("[OP10] an edit of a numbered message is an op behind it", () => {
    expect(merge(outboxOf({ ...post("m"), n: 1 }), CHANNEL, edit("m", "better"))).toEqual({
      removes: [],
      appends: true,
    });
  });

  it("[OP10] the last of several edits counts, from the rev that the first began with", () => {
    const outbox = outboxOf({ ...edit("m", "one", 7) });
    expect(merge(outbox, CHANNEL, edit("m", "two", 7)).replaces?.by).toEqual(edit("m", "two", 7));
  });

  it("[OP10] an edit behind a numbered one stays an op of its own", () => {
    const outbox = outboxOf({ ...edit("m", "one"), n: 4 });
    expect(merge(outbox, CHANNEL, edit("m", "two")).appends).toBe(true);
  });

  it("[OP10] deleting a message that never left leaves nothing", () => {
    const outbox = outboxOf(post("m"), { ...react("m", true) }, post("other"));
    const merged = merge(outbox, CHANNEL, change("message.delete", { id: "m" }));
    expect(merged.appends).toBe(false);
    expect(merged.removes.map(({ id }) => id).toSorted()).toEqual(["op1", "op2"]);
  });

  it("[AU4] deleting one that may have been delivered is an op", () => {
    const outbox = outboxOf({ ...post("m"), refusal: { ...REFUSED, maybeDelivered: true } });
    expect(merge(outbox, CHANNEL, change("message.delete", { id: "m" })).appends).toBe(true);
  });

  it("[OP10] deleting a delivered message takes its open changes along", () => {
    const merged = merge(
      outboxOf({ ...edit("m", "x") }, { ...react("m", true) }),
      CHANNEL,
      change("message.delete", { id: "m" }),
    );
    expect(merged).toMatchObject({ appends: true });
    expect(merged.removes).toHaveLength(2);
  });

  it("a reaction and its taking back are nothing", () => {
    const merged = merge(outboxOf({ ...react("m", true) }), CHANNEL, react("m", false));
    expect(merged).toMatchObject({ appends: false, removes: [{ id: "op1" }] });
  });

  it("the same reaction twice is one", () => {
    expect(merge(outboxOf({ ...react("m", true) }), CHANNEL, react("m", true))).toEqual({
      removes: [],
      appends: false,
    });
  });

  it("preferences of a channel come together", () => {
    const outbox = outboxOf(change("channel.prefs", { channel: "c", starred: true }));
    expect(merge(outbox, DIRECTORY, change("channel.prefs", { channel: "c", muted: true })).replaces?.by).toEqual(
      change("channel.prefs", { channel: "c", starred: true, muted: true }),
    );
  });

  it("an op of another room is another matter", () => {
    expect(merge(outboxOf({ ...post("m"), room: DIRECTORY }), CHANNEL, edit("m", "x")).appends).toBe(true);
  });
});
