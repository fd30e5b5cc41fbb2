import { expect, test } from "vitest";
import { joined } from "./left-words.ts";

test.each([
  ["it takes the place of what it was typed over", "Half", { over: "Half", text: "Half a thought" }, "Half a thought"],
  ["also where most of it was deleted", "Half a thought", { over: "Half a thought", text: "Ha" }, "Ha"],
  ["a draft stored on the way to it gives way", "Half a", { over: "", text: "Half a thought" }, "Half a thought"],
  ["an older copy of what was stored since is dropped", "Half a thought", { over: "", text: "Half" }, "Half a thought"],
  [
    "what another device wrote meanwhile stands behind it",
    "Theirs",
    { over: "Mine", text: "Mine too" },
    "Mine too\nTheirs",
  ],
  ["it doesn't stand there twice", "Mine\nTheirs", { over: "Mi", text: "Mine" }, "Mine\nTheirs"],
  ["into an empty composer", "", { over: "Long gone", text: "Mine" }, "Mine"],
])("a text left behind: %s", (_, draft, words, becomes) => {
  expect(joined(draft, [words])).toBe(becomes);
});

test("several texts left behind stand in the order they were written in", () => {
  const words = [
    { over: "", text: "First" },
    { over: "", text: "Second" },
    { over: "", text: "Half of the third" },
  ];
  expect(joined("", words)).toBe("First\nSecond\nHalf of the third");
  expect(joined("Theirs", words)).toBe("First\nSecond\nHalf of the third\nTheirs");
  expect(
    joined("Half", [
      { over: "Half", text: "Half and whole" },
      { over: "", text: "Next" },
    ]),
  ).toBe("Half and whole\nNext");
});
