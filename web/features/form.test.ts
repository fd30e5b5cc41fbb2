// What a form says of a failure.
import { expect, it } from "vitest";
import { failure } from "#protocol/errors.ts";
import { detailByHand, formFault } from "./form.ts";

it("that something is tried again is said by no form: it is for who pressed to do so", () => {
  const unavailable = failure("upstream_unavailable");
  expect(unavailable.detail).toContain("Trying again");
  for (const said of [detailByHand(unavailable), formFault({ state: "failed", failure: unavailable }, [])])
    expect(said).toMatch(/^Causeway can't do that just now\. Try again/);
});

it("any other failure is said in the catalogue's words, but where a field has them", () => {
  const failed = { state: "failed", failure: { code: "invalid", detail: "name: must not be empty" } } as const;
  expect(formFault(failed, [])).toBe("name: must not be empty");
  expect(formFault(failed, ["name"])).toBeUndefined();
});
