import { expect, test } from "vitest";
import { isAlike } from "./alike.ts";

test.each([
  ["the same number", 1, 1, true],
  ["another number", 1, 2, false],
  ["fields in another order", { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ["a field more", { a: 1 }, { a: 1, b: undefined }, false],
  ["maps alike", new Map([["a", { n: 1 }]]), new Map([["a", { n: 1 }]]), true],
  ["an empty map and a full one", new Map(), new Map([["a", 1]]), false],
  ["a map with another value", new Map([["a", { n: 1 }]]), new Map([["a", { n: 2 }]]), false],
  ["a map with another key", new Map([["a", 1]]), new Map([["b", 1]]), false],
  ["a map within", { people: new Map() }, { people: new Map([["a", 1]]) }, false],
  ["a map and an object", new Map(), {}, false],
  ["sets alike", new Set([1]), new Set([1]), true],
  ["another set", new Set([1]), new Set([2]), false],
])("%s", (_, before, after, answer) => {
  expect(isAlike(before, after)).toBe(answer);
});
