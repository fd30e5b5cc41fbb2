import { expect, test } from "vitest";
import { quoted } from "./quoted.ts";

test.each([
  ["On it. ~~Tomorrow~~ **today**.", "On it. Tomorrow today."],
  ["> who?\n\n- me\n- `you`", "who? me you"],
  ["# Loud\n```js\ncode_with_underscores * 2\n```", "Loud js code_with_underscores * 2"],
  ["a - b", "a - b"],
  // Signs in the middle of a word or a number, as in the message itself.
  ["2**10 is no **2**, (~~3~~)", "2**10 is no 2, (3)"],
  ["x".repeat(500), "x".repeat(200)],
])("%j is quoted as %j", (text, line) => {
  expect(quoted(text)).toBe(line);
});
