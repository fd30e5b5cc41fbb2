import { expect, test } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { holdWords, letGo, wordsHeld } from "./last-words.ts";

const id = "m" as MessageId;
const words = (text: string) => ({ id, text, over: "", isSent: false });

test("what was typed since is still held when an earlier text is on disk, whichever composer stored that", () => {
  holdWords("olga.general", words("Half"));
  holdWords("olga.general", words("Half a thought"));
  letGo("olga.general", id, "Half");
  expect(wordsHeld("olga.general")).toEqual([words("Half a thought")]);
  letGo("olga.general", id, "Half a thought");
  expect(wordsHeld("olga.general")).toEqual([]);
});
