import { expect, it } from "vitest";
import { o } from "./strings-offline.ts";

it("filling is said to go on by itself only where nobody has to do anything, and else what they have to do", () => {
  const byItself = Object.entries(o.paused).flatMap(([why, says]) => (says.includes("by itself") ? [why] : []));
  expect(byItself).toEqual(["offline", "misconfigured", "asked-to-wait"]);
  expect(o.paused.chosen).toContain("when you go back online");
  expect(o.paused["signed-out"]).toContain("when you have signed in again");
});
