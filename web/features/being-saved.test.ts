// What waits though it stands in no outbox.
import { expect, it } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import type { ChannelRow, OutboxItem } from "../store/snapshots.ts";
import { beingSaved } from "./being-saved.ts";

const row = { id: "docks" } as ChannelRow;
const sent = [{ id: "m" as MessageId, of: "docks", text: "Stored late" }];
const item = (op: string, id: string): Pick<OutboxItem, "change"> => ({ change: { op, args: { id } } }) as never;

it.each<[string, readonly ChannelRow[], readonly Pick<OutboxItem, "change">[], number]>([
  ["a text that is in no outbox yet", [row], [], 1],
  ["also beside others", [row], [item("message.post", "other")], 1],
  ["not twice, once it is there", [row], [item("message.post", "m")], 0],
  ["also while its message is edited: that waits besides", [row], [item("message.edit", "m")], 1],
  ["not one of another workspace", [], [], 0],
])("waits without being stored: %s", (_, rows, items, count) => {
  expect(beingSaved(sent, rows, items)).toHaveLength(count);
});
