import { expect, it } from "vitest";
import type { Answered } from "../../sync/search/search.ts";
import { sentences } from "./Extent.tsx";

const answered = { extent: { count: 3, oldestAt: 0 }, incompleteCount: 0 } as Answered;

it("says since when all is searched once it is known what the index lacks", () => {
  expect(sentences(answered, "ready", 0).join()).toMatch(/since/);
  expect(sentences(answered, "ready", 1).join()).not.toMatch(/since/);
  expect(sentences(answered, "opening", 0).join()).not.toMatch(/since/);
});
