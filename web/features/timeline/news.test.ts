import { expect, test } from "vitest";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { refusalSaid, refusedSince, unrefused } from "./news.ts";

const message = (id: string, isRefused = false, detail = "#launch is archived."): TimelineMessage =>
  ({ id, ...(isRefused && { refused: { refusal: { detail } } }) }) as TimelineMessage;

test("refused is news of what stood there unrefused, not of what one scrolls to", () => {
  const before = unrefused([message("a"), message("b"), message("c", true)]);
  const now = [message("a", true), message("b"), message("c", true), message("d", true)];
  expect(refusedSince(now, before).map(({ id }) => id)).toEqual(["a"]);
  expect(refusedSince(now, unrefused(now))).toEqual([]);
});

test("of several refused at once each reason is said, and nothing is called a message that may be a reaction or pin", () => {
  const [one, other] = [message("a", true), message("b", true)];
  expect(refusalSaid([])).toBe(null);
  expect(refusalSaid([one])).toBe("Not taken: #launch is archived.");
  expect(refusalSaid([one, other])).toBe("2 changes of yours not taken: #launch is archived.");
  expect(refusalSaid([one, message("c", true, "You can't pin here.")])).toBe(
    "2 changes of yours not taken: #launch is archived. You can't pin here.",
  );
});
