/** Reads what a run of vitest came to. */

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Each file of which some were skipped, with how many. */
  readonly notRun: readonly string[];
  /** What to say about each failure after everything else: a long log is often kept by its end alone. */
  readonly failures: readonly string[];
}

/** Of vitest's JSON report: what is counted and said here. */
interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** What vitest calls a test that it left out. */
const NOT_RUN: ReadonlySet<string> = new Set(["pending", "skipped", "todo", "disabled"]);
/** Of all, as a part of one: a run that left out more of them proves too little. */
const MAY_BE_LEFT_OUT = 0.25;
/** Lines of a failure that are repeated: the message, what differed, and the first places of the stack. */
const FAILURE_LINES = 25;
/** Lines of the runner's output that are repeated where no test says what was wrong. */
const OUTPUT_LINES = 60;

/**
 * Counts a run. A file that can't be loaded has no tests to fail, a run that breaks off has no report, and an
 * error outside of any test has nothing but the exit code: each counts as one failure.
 */
export function countOf(report: string | undefined, ran: { readonly code: number; readonly output: string }): Count {
  if (report === undefined) {
    return {
      passed: 0,
      skipped: 0,
      notRun: [],
      ...failedFor(ran.code === 0 ? [] : [`No report\n${endOf(ran.output)}`]),
    };
  }
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(report) as Report;
  const failures = testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    if (failed.length > 0) {
      return failed.map((test) => `${file.name}: ${test.fullName}\n${startOf(test.failureMessages.join("\n"))}`);
    }
    return file.status === "failed" ? [`${file.name}\n${startOf(file.message)}`] : [];
  });
  if (failures.length === 0 && ran.code !== 0) failures.push(`An error outside of any test\n${endOf(ran.output)}`);
  const notRun = testResults.flatMap(({ name, assertionResults }) => {
    const skipped = assertionResults.filter(({ status }) => NOT_RUN.has(status)).length;
    return skipped > 0 ? [`${name} (${skipped} of ${assertionResults.length})`] : [];
  });
  return { passed: numPassedTests, skipped: numPendingTests + numTodoTests, notRun, ...failedFor(failures) };
}

/** A run that was short of time left some of it out, which is said; too much of it is a failure. */
export function enoughOf(count: Count): Count {
  const all = count.passed + count.failed + count.skipped;
  if (count.skipped <= MAY_BE_LEFT_OUT * all) return count;
  const failures = [...count.failures, `${count.skipped} of ${all} tests weren't run`];
  return { ...count, failed: count.failed + 1, failures };
}

function failedFor(failures: readonly string[]): Pick<Count, "failed" | "failures"> {
  return { failed: failures.length, failures };
}

const startOf = (text: string): string => text.split("\n").slice(0, FAILURE_LINES).join("\n");
const endOf = (text: string): string => text.trimEnd().split("\n").slice(-OUTPUT_LINES).join("\n");
