import { expect, test } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import { ok } from "#protocol/result.ts";
import type { WaitingText } from "../../sync/waiting.ts";
import { broughtBack } from "./brought-back.ts";

const noted: WaitingText = {
  op: "op",
  at: 0,
  kind: "draft",
  room: "channel/w/c" as WaitingText["room"],
  channel: "c" as ChannelId,
  message: null,
  root: null,
  text: "Hello all",
};

async function into(before: string): Promise<string> {
  let stored = before;
  const client: Parameters<typeof broughtBack>[0] = {
    draft: () => ({ snapshot: () => ({ state: "ready", value: before }) }),
    commands: {
      postAgain: async () => ok(undefined),
      setDraft: async (_, text) => {
        stored = text;
        return ok(undefined);
      },
    },
  };
  await broughtBack(client, noted);
  return stored;
}

test.each([
  ["", "Hello all"],
  ["Later", "Hello all\nLater"],
  // The room had what was typed before.
  ["Hello", "Hello all"],
  // It is there already, where the tab ended before the note was given up, or the room had it after all.
  ["Hello all", "Hello all"],
  ["Later\nHello all", "Hello all\nLater"],
  // The room had it, and another device wrote on.
  ["Hello all, tomorrow then", "Hello all, tomorrow then"],
])("a noted draft that is put back to %j makes it %j", async (before, after) => expect(await into(before)).toBe(after));
