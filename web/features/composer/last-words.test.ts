import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { holdWords, letGo, letGoOfDraft, wordsHeld } from "./last-words.ts";

beforeEach(() => {
  vi.stubGlobal("StorageEvent", Event);
  vi.stubGlobal("dispatchEvent", () => true);
});
afterEach(() => vi.unstubAllGlobals());

const id = "m" as MessageId;
const words = (text: string) => ({ id, text, over: "", isSent: false });

test("what was typed since is still held when an earlier text is on disk, whichever composer stored that", () => {
  holdWords("olga.general", words("Half"));
  holdWords("olga.general", words("Half a thought"));
  letGoOfDraft("olga.general", id, "Half");
  expect(wordsHeld("olga.general")).toEqual([words("Half a thought")]);
  letGoOfDraft("olga.general", id, "Half a thought");
  expect(wordsHeld("olga.general")).toEqual([]);
});

test("what was sent is held until it is stored as a message, though a composer that was left stored it as its draft", () => {
  const sent = { ...words("Half"), isSent: true };
  holdWords("olga.side", sent);
  letGoOfDraft("olga.side", id, "Half");
  letGoOfDraft("olga.side", id);
  expect(wordsHeld("olga.side")).toEqual([sent]);
  letGo("olga.side", id);
  expect(wordsHeld("olga.side")).toEqual([]);
});

test("who shows what is held is told of it, though the browser copies nothing", () => {
  vi.stubGlobal("localStorage", undefined);
  const shown: string[] = [];
  vi.stubGlobal("dispatchEvent", () =>
    shown.push(
      wordsHeld("olga.m.open")
        .map(({ text }) => text)
        .join(),
    ),
  );
  holdWords("olga.m.open", words("Half"));
  letGo("olga.m.open", id);
  expect(shown).toEqual(["Half", ""]);
});
