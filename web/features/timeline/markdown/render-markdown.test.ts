import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.tsx";

test.each([
  ["2. yes\n4. no", ["2", "4"], "2.6ch"],
  ["1986. A year", ["1986"], "5.6ch"],
  ["9. a\n10. b\n11. c", ["9", "10", "11"], "3.6ch"],
])("%j bears its numbers, and has room for the longest", (text, numbers, room) => {
  const made = renderToStaticMarkup(renderMarkdown(text, null));
  expect([...made.matchAll(/<li value="(\d+)"/g)].map(([, number]) => number)).toEqual(numbers);
  expect(made).toContain(`padding-inline-start:${room}`);
});
