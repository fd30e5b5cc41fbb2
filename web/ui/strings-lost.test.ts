import { expect, it } from "vitest";
import { lostSays } from "./strings-lost.ts";

it("one change that was lost is to be made again, several are", () => {
  expect(lostSays.notice(1, 0, "today")).toContain("make it again");
  expect(lostSays.notice(5, 0, "today")).toContain("make them again");
  expect(lostSays.notice(5, 2, "today")).toContain("is in the Outbox");
});
