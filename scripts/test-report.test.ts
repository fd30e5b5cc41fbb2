import { describe, expect, it } from "vitest";
import { countOf, enoughOf } from "./test-report.ts";

const ran = { code: 1, output: "first\nTypeError: gone\n" };

function report(testResults: readonly object[], numPassedTests = 2): string {
  return JSON.stringify({ numPassedTests, numPendingTests: 1, numTodoTests: 1, testResults });
}

describe("the count of a test run", () => {
  it("is without failures when all passed", () => {
    const file = { name: "a.test.ts", status: "passed", message: "", assertionResults: [{ status: "passed" }] };
    expect(countOf(report([file]), { code: 0, output: "" })).toEqual({
      passed: 2,
      failed: 0,
      skipped: 2,
      notRun: [],
      failures: [],
    });
  });

  it("names each test that failed, with the beginning of its message", () => {
    const failed = { status: "failed", fullName: "the outbox keeps it", failureMessages: ["expected 1 to be 2"] };
    const file = { name: "a.test.ts", status: "failed", message: "", assertionResults: [failed, { status: "passed" }] };
    expect(countOf(report([file]), ran)).toMatchObject({
      failed: 1,
      failures: ["a.test.ts: the outbox keeps it\nexpected 1 to be 2"],
    });
  });

  it("counts a file that can't be loaded", () => {
    const file = { name: "a.test.ts", status: "failed", message: "no such module", assertionResults: [] };
    expect(countOf(report([file]), ran)).toMatchObject({ failed: 1, failures: ["a.test.ts\nno such module"] });
  });

  it("counts an error outside of any test, and a run that broke off, by the end of the output", () => {
    expect(countOf(report([]), ran)).toMatchObject({
      passed: 2,
      failed: 1,
      failures: ["An error outside of any test\nfirst\nTypeError: gone"],
    });
    expect(countOf(undefined, ran)).toMatchObject({
      passed: 0,
      failed: 1,
      failures: ["No report\nfirst\nTypeError: gone"],
    });
  });

  it("names the files of which some weren't run, and calls it a failure where those are more than a quarter", () => {
    const tests = ["passed", "passed", "skipped", "todo"].map((status) => ({ status }));
    const file = { name: "a.test.ts", status: "passed", message: "", assertionResults: tests };
    const count = countOf(report([file], 6), { code: 0, output: "" });
    expect(count).toMatchObject({ skipped: 2, notRun: ["a.test.ts (2 of 4)"] });
    expect(enoughOf(count)).toEqual(count);
    expect(enoughOf({ ...count, passed: 5 })).toMatchObject({ failed: 1, failures: ["2 of 7 tests weren't run"] });
  });

  it("takes no report and no failure for no tests", () => {
    expect(countOf(undefined, { code: 0, output: "" })).toMatchObject({ passed: 0, failed: 0 });
  });
});
