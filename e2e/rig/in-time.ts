/** Vitest's setup of each file of browser tests: which of them are left out where `.ci/run` has no time for all. */
import { beforeEach } from "vitest";

/** Seconds since 1970; `.ci/run` says so, for it is ended at its hour, on a machine of half the speed as well. */
const until = Number(process.env["TEST_UNTIL"] || Infinity);

beforeEach(({ skip }) => {
  if (Date.now() / 1_000 > until) skip("there was no time for it");
});
