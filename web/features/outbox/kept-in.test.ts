import { expect, test } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import type { OutboxDraft, OutboxItem } from "../../store/snapshots.ts";
import { hasKeptWords } from "./kept-in.ts";

const refusal = { code: "forbidden", detail: "no" } as const;
const item = (channel: string, op: string, args: object, more: object = { refusal }): OutboxItem =>
  ({ channel, change: { op, args }, ...more }) as unknown as OutboxItem;
const post = (channel: string, more?: object): OutboxItem => item(channel, "message.post", { text: "hello" }, more);
const draft = (channel: string): OutboxDraft => ({ channel, text: "half" }) as OutboxDraft;

test.each<[string, boolean, { items?: OutboxItem[]; drafts?: OutboxDraft[]; edits?: { channel: ChannelId }[] }]>([
  ["nothing", false, {}],
  ["a text that was refused there", true, { items: [post("c")] }],
  ["one that was refused elsewhere", false, { items: [post("d")] }],
  ["one that waits", false, { items: [post("c", {})] }],
  ["a topic", true, { items: [item("c", "channel.update", { topic: "Ahoy" })] }],
  ["what is no text", false, { items: [item("c", "message.react", { emoji: "👍", on: true })] }],
  [
    "a deletion that took an edit along",
    true,
    { items: [item("c", "message.delete", {}, { refusal, editedText: "x" })] },
  ],
  ["a draft there", true, { drafts: [draft("c")] }],
  ["a draft elsewhere", false, { drafts: [draft("d")] }],
  ["an edit that was begun there", true, { edits: [{ channel: "c" as ChannelId }] }],
])("what was written in a channel that isn't here is said to be kept only where it is: %s", (_, isKept, is) => {
  const { items = [], drafts = [], edits = [] } = is;
  expect(hasKeptWords({ items, drafts }, edits, "c" as ChannelId)).toBe(isKept);
});
