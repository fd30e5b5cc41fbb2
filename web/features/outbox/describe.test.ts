import { expect, it } from "vitest";
import type { AnyOp } from "#protocol/ops/all.ts";
import { textOf } from "./describe.ts";

it.each([
  ["a message", { op: "message.post", args: { id: "m", text: "Hello" } }, "Hello"],
  ["a topic", { op: "channel.update", args: { id: "c", topic: "Concrete on Monday" } }, "Concrete on Monday"],
  [
    "that of a new channel",
    { op: "channel.create", args: { id: "c", name: "crane", access: "public", topic: "Lifts" } },
    "Lifts",
  ],
  ["a topic that is cleared", { op: "channel.update", args: { id: "c", topic: "" } }, null],
  ["a new name, which stands in the heading", { op: "channel.update", args: { id: "c", name: "site-b" } }, null],
])("the Outbox shows the words of a change, to be copied: %s", (_what, change, words) => {
  expect(textOf(change as AnyOp)).toBe(words);
});
