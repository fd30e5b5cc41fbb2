import { expect, it } from "vitest";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import { describe as headingOf, textOf } from "./describe.ts";

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

it.each([
  [
    "some who are added",
    { op: "channel.members", args: { id: "c", add: ["bo", "cleo"], remove: [] } },
    "Bo and Cleo added",
  ],
  ["one who is taken out", { op: "channel.members", args: { id: "c", add: [], remove: ["bo"] } }, "Bo removed"],
  ["both", { op: "channel.members", args: { id: "c", add: ["bo"], remove: ["cleo"] } }, "Bo added, Cleo removed"],
  ["a role", { op: "member.role", args: { user: "bo", role: "admin" } }, "Bo made an admin"],
  ["one who is let back in", { op: "member.activate", args: { user: "bo", on: true } }, "Bo let back in"],
  ["one who isn't known here", { op: "member.activate", args: { user: "dara", on: false } }, "Somebody deactivated"],
])("the Outbox names the people of a change: %s", (_what, change, heading) => {
  const members = new Map([
    ["bo", { name: "Bo" }],
    ["cleo", { name: "Cleo" }],
  ]) as unknown as WorkspaceSnapshot["members"];
  expect(headingOf(change as AnyOp, members)).toBe(heading);
});
