import { describe, expect, it } from "vitest";
import { faultOf } from "./config-error.ts";
import { readServiceSecret, readTrust } from "./trust.ts";

const SECRET = "a secret that is long enough to be one";

function fault(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return faultOf(error);
  }
  return "none";
}

describe("a wrong variable", () => {
  it.each([
    [undefined, "is missing"],
    ["", "is missing"],
    ["{hush", "is not JSON"],
    ["[]", "is not a list of issuers"],
    ['[{"issuer":"a","secret":"hush"}]', "entry 0 is not"],
    [`[{"issuer":"a","secret":"${SECRET}"},{"issuer":"hush"}]`, "entry 1 is not"],
  ])("is named, and its value is not: ISSUERS=%s", (value, said) => {
    const line = fault(() => readTrust(value));
    expect(line).toMatch(/^ConfigError: ISSUERS /);
    expect(line).toContain(said);
    expect(line).not.toContain("hush");
    expect(line).not.toContain(SECRET);
  });

  it.each([[undefined], [""], ["hush"]])("is named, and its value is not: SERVICE_SECRET=%s", (value) => {
    const line = fault(() => readServiceSecret(value));
    expect(line).toMatch(/^ConfigError: SERVICE_SECRET is /);
    expect(line).not.toContain("hush");
  });

  it("is the only error whose message goes into a log", () => {
    expect(faultOf(new TypeError("what somebody wrote"))).toBe("TypeError");
    expect(faultOf("what somebody wrote")).toBe("unknown");
  });
});
