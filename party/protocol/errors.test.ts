import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ERRORS, failure, isHeld, problemOf, rowOf, type ErrorCode } from "./errors.ts";

const codes = Object.keys(ERRORS) as ErrorCode[];

describe("the error catalogue", () => {
  it.each(codes)("%s renders a sentence, with and without parameters", (code) => {
    const params = {
      field: "Name",
      rule: "is lower case",
      limit: 8000,
      actual: 8412,
      channel: "launch",
      seconds: 2.5,
      reference: "ab12",
    };
    for (const text of [rowOf(code).text({}), rowOf(code).text(params)]) {
      expect(text).toMatch(/^\S.*\.$/s);
      expect(text).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  it("says the limit and the actual length of a text that is too long", () => {
    expect(failure("too_long", { actual: 8412, limit: 8000 }).detail).toBe(
      "This message has 8,412 characters; the limit is 8,000.",
    );
  });

  it("[OP6] holds exactly the refusals that leave a number unused", () => {
    expect(codes.filter(isHeld).toSorted()).toEqual([
      "internal",
      "out_of_order",
      "rate_limited",
      "upstream_unavailable",
    ]);
  });

  it("closes a socket only with a code of the protocol", () => {
    const closes = codes.flatMap((code) => rowOf(code).close ?? []);
    expect([...new Set(closes)].toSorted((a, b) => a - b)).toEqual([
      1011, 4401, 4403, 4404, 4408, 4409, 4413, 4422, 4426, 4429,
    ]);
  });

  it.each([
    [0.4, "Slow down for a second."],
    [1, "Slow down for a second."],
    [1.2, "Slow down for 2 seconds."],
    [undefined, "Slow down for a second."],
  ])("counts seconds as one says it: %s", (seconds, said) => {
    expect(failure("rate_limited", seconds === undefined ? {} : { seconds }).detail).toBe(said);
  });

  it("makes problem details whose status is the code's", () => {
    expect(problemOf(failure("rate_limited", { seconds: 3 }))).toEqual({
      title: "Slow down for 3 seconds.",
      status: 429,
      code: "rate_limited",
      detail: "Slow down for 3 seconds.",
      retryAfter: 3,
    });
  });

  it("documents each code in docs/protocol.md with what the app does", () => {
    const page = readFileSync(fileURLToPath(import.meta.resolve("../../docs/protocol.md")), "utf8");
    const missing = codes.filter((code) => !new RegExp(`^\\| .*\`${code}\``, "m").test(page));
    expect(missing).toEqual([]);
  });
});
