import { expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Lookup } from "#protocol/ops/op.ts";
import { outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { overlay } from "./overlay.ts";

const ROOT = { kind: "message", id: "root", rev: 1, seq: 1, author: "mara", createdAt: 0, text: "Root" } as Entity;
const known = ((_kind: string, id: string) => (id === ROOT.id ? ROOT : undefined)) as Lookup;
const reply: Waiting = { op: "message.post", args: { id: "reply", text: "Reply", root: "root" } };

it.each([
  ["one that waits counts at its root", reply, { "message/reply": undefined, "message/root": 1 }],
  [
    "one that was refused is in sight and counts nowhere",
    { ...reply, refusal: REFUSED },
    { "message/reply": undefined },
  ],
  ["so is a message", { ...post("m"), refusal: REFUSED }, { "message/m": undefined }],
])("of replies, %s", (_, op, shown) => {
  const { changed } = overlay(known, outboxOf(op), "olga" as UserId);
  const counts = [...changed].map(([key, entity]) => [key, "replies" in entity ? entity.replies?.count : undefined]);
  expect(Object.fromEntries(counts)).toEqual(shown);
});
