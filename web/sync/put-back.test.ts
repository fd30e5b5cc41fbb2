import { expect, it } from "vitest";
import { putBack, type PutBack } from "./put-back.ts";

const EMPTY: PutBack = { back: [], text: "" };
const first = { text: "one", order: 1 };
const second = { text: "two\nlines", order: 2 };

it.each([
  ["in the order they were sent in", [first, second]],
  ["whichever failed first", [second, first]],
])("several that couldn't be sent come back %s, before what was typed since", (_how, failed) => {
  const typed: PutBack = { back: [], text: "typed since" };
  expect(failed.reduce(putBack, EMPTY).text).toBe("one\ntwo\nlines");
  expect(failed.reduce(putBack, typed).text).toBe("one\ntwo\nlines\ntyped since");
});

it("what somebody went on typing behind one that came back stays behind the next", () => {
  const { back } = putBack(EMPTY, first);
  expect(putBack({ back, text: "one\nmore" }, second).text).toBe("one\ntwo\nlines\nmore");
});

it("what somebody changed of it, or took away, is theirs and comes last", () => {
  const { back } = putBack(EMPTY, first);
  expect(putBack({ back, text: "one, mended" }, second).text).toBe("two\nlines\none, mended");
  expect(putBack({ back, text: "" }, second).text).toBe("two\nlines");
});
