import { expect, test } from "vitest";
import { scrollIntent } from "./scroll-intent.ts";

test("a movement right after a change of size is the browser's, later it is the person's", () => {
  const intent = scrollIntent();
  intent.resized(1_000);
  expect(intent.isByPerson(1_100, true)).toBe(false);
  expect(intent.isByPerson(1_400, true)).toBe(true);
});

test("before anything was measured nobody has scrolled", () => {
  expect(scrollIntent().isByPerson(5_000, true)).toBe(false);
});

test("a wheel makes it the person's, also while rows are being measured, and so does its momentum", () => {
  const intent = scrollIntent();
  intent.moved(1_000);
  intent.resized(1_010);
  for (let now = 1_050; now < 3_000; now += 200) {
    expect(intent.isByPerson(now, true)).toBe(true);
    intent.resized(now + 1);
  }
  expect(intent.isByPerson(3_260, true)).toBe(true);
  intent.resized(4_000);
  expect(intent.isByPerson(4_001, true)).toBe(false);
});

test("a scroll bar may be held before it is moved", () => {
  const intent = scrollIntent();
  intent.pressed(1_000);
  intent.resized(3_500);
  expect(intent.isByPerson(3_600, true)).toBe(true);
});

test("where the list has another height nobody scrolled it without a wheel, a touch or a key, however late one hears of it", () => {
  const intent = scrollIntent();
  intent.resized(1_000);
  expect(intent.isByPerson(9_000, false)).toBe(false);
  expect(intent.isByPerson(9_000, true)).toBe(true);
  intent.moved(9_100);
  expect(intent.isByPerson(9_200, false)).toBe(true);
});
