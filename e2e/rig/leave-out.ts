/** Vitest's setup of each file of browser tests: those that haven't begun in time are left out. */
import { beforeEach } from "vitest";
import { isLate } from "./in-time.ts";

beforeEach(({ skip }) => {
  if (isLate()) skip("there was no time for it");
});
