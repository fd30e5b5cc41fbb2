import { expect, test } from "vitest";
import type { ChannelSnapshot } from "../../store/snapshots.ts";
import { canTake } from "./can-take.ts";

const open = { isJoined: true, isArchived: false, delivery: "sent" } as const;

test.each<[string, boolean, Partial<Parameters<typeof canTake>[0]>, object]>([
  ["takes it", true, {}, { state: "ready", closed: null }],
  ["that waits to be made takes it", true, { delivery: "queued" }, { state: "ready", closed: null }],
  ["whose making was refused doesn't", false, { delivery: "refused" }, { state: "ready", closed: null }],
  ["where only admins may post doesn't", false, {}, { state: "ready", closed: "admins-only" }],
  ["that one isn't in doesn't", false, { isJoined: false }, { state: "ready", closed: "not-joined" }],
  ["that is archived doesn't", false, { isArchived: true }, { state: "ready", closed: "archived" }],
  ["that went out of sight doesn't", false, {}, { state: "missing" }],
])("what is moved to another channel: one %s", (_, takes, row, snapshot) => {
  expect(canTake({ ...open, ...row }, () => snapshot as ChannelSnapshot)).toBe(takes);
});
