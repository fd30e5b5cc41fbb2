// From outside to inside: one way to check a value and to say what is wrong with it in the catalogue's words.
import * as v from "valibot";
import { failure, type Failure } from "./errors.ts";
import { failed, ok, type Result } from "./result.ts";

/** Checks `value`; the failure is `invalid`, `too_long` (a text) or `too_many` (a list) and names the field. */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): Result<v.InferOutput<Schema>, Failure> {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? ok(parsed.output) : failed(failureOf(parsed.issues[0]));
}

function failureOf(issue: v.BaseIssue<unknown>): Failure {
  const path = v.getDotPath(issue);
  const field = path === null ? {} : { field: path };
  const limit = issue.requirement;
  if (issue.type === "max_length" && typeof limit === "number") {
    if (typeof issue.input === "string") return failure("too_long", { ...field, limit, actual: issue.input.length });
    if (Array.isArray(issue.input)) return failure("too_many", { ...field, limit });
  }
  // Valibot's own messages quote what was received; a rule written by us doesn't, and nobody's text is repeated.
  const rule = issue.kind === "schema" ? `expected ${issue.expected ?? "something else"}` : ruleOf(issue);
  return failure("invalid", { ...field, rule });
}

function ruleOf(issue: v.BaseIssue<unknown>): string {
  return issue.type === "check" ? issue.message : `does not meet ${issue.type.replaceAll("_", " ")}`;
}
