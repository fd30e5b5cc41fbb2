/**
 * Every numbered rule of docs/protocol.md and docs/spec.md has a test whose title starts with its id, or
 * stands in docs/rules-not-built.md with the reason; and no test claims a rule that doesn't exist.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { inRoot, ROOT } from "./paths.ts";

const RULES = ["docs/protocol.md", "docs/spec.md"];
const NOT_BUILT = "docs/rules-not-built.md";
const TESTS = ["{party,edge,web,scripts,e2e,bench}/**/*.{test,e2e}.{ts,tsx}"];

export interface Sources {
  /** The texts that state rules. */
  readonly rules: readonly string[];
  /** The list of rules not yet built: `- [ID] reason`. */
  readonly notBuilt: string;
  /** Test files: path → source. */
  readonly tests: ReadonlyMap<string, string>;
}

/** One line for each thing that is wrong, sorted; empty when all is well. */
export function ruleProblems({ rules, notBuilt, tests }: Sources): string[] {
  const known = new Set(rules.flatMap(idsIn));
  const listed = new Map<string, string>();
  const problems: string[] = [];
  for (const line of notBuilt.split("\n")) {
    const match = /^- \[([A-Z]{2}\d+)\]\s*(.*)$/.exec(line);
    if (!match?.[1]) continue;
    if (!match[2]) problems.push(`[${match[1]}] is listed as not built without a reason`);
    if (listed.has(match[1])) problems.push(`[${match[1]}] is listed as not built twice`);
    if (!known.has(match[1])) problems.push(`[${match[1]}] is listed as not built, but no such rule exists`);
    listed.set(match[1], match[2] ?? "");
  }
  const tested = new Map<string, string>();
  for (const [path, source] of tests) for (const id of idsOfTitles(source)) tested.set(id, path);
  for (const [id, path] of tested) {
    if (!known.has(id)) problems.push(`[${id}] is named by ${path}, but no such rule exists`);
    if (listed.has(id)) problems.push(`[${id}] is listed as not built, but ${path} tests it`);
  }
  for (const id of known) {
    if (!tested.has(id) && !listed.has(id)) problems.push(`[${id}] has no test`);
  }
  return problems.sort(byRule);
}

const byRule = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

function idsIn(text: string): string[] {
  return [...text.matchAll(/\[([A-Z]{2}\d+)\]/g)].map((match) => match[1] ?? "");
}

/** The ids at the start of a string: titles, whether given to `test` directly or kept in a table. */
export function idsOfTitles(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
  return [...code.matchAll(/["'`]((?:\[[A-Z]{2}\d+\],? ?)+)/g)].flatMap((match) => idsIn(match[1] ?? ""));
}

function readIfThere(path: string): string {
  return existsSync(inRoot(path)) ? readFileSync(inRoot(path), "utf8") : "";
}

if (import.meta.main) {
  const files = globSync(TESTS, { cwd: ROOT }).map((path): [string, string] => [
    path,
    readFileSync(inRoot(path), "utf8"),
  ]);
  const rules = RULES.map(readIfThere);
  const problems = ruleProblems({ rules, notBuilt: readIfThere(NOT_BUILT), tests: new Map(files) });
  for (const problem of problems) console.log(problem);
  const count = new Set(rules.flatMap(idsIn)).size;
  console.log(`${count} rules, ${files.length} test files, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
