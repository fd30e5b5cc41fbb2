import { expect, test } from "vitest";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { refusedSince, unrefused } from "./news.ts";

const message = (id: string, isRefused = false): TimelineMessage =>
  ({ id, ...(isRefused && { refused: { refusal: { detail: "#launch is archived." } } }) }) as TimelineMessage;

test("refused is news of what stood there unrefused, not of what one scrolls to", () => {
  const before = unrefused([message("a"), message("b"), message("c", true)]);
  const now = [message("a", true), message("b"), message("c", true), message("d", true)];
  expect(refusedSince(now, before).map(({ id }) => id)).toEqual(["a"]);
  expect(refusedSince(now, unrefused(now))).toEqual([]);
});
