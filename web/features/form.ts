// How every form sends: one press at a time, what was typed stays, and a failure stands at its field or under the form.
import { useRef, useState, type FormEvent } from "react";
import type { Failure } from "#protocol/errors.ts";
import { failed, type Result } from "#protocol/result.ts";
import { formSays } from "../ui/strings-form.ts";

export type Submission =
  | { readonly state: "idle" }
  | { readonly state: "busy" }
  | { readonly state: "failed"; readonly failure: Failure };

type Act<Value> = (fields: (name: string) => string) => Promise<Result<Value, Failure>> | Result<never, Failure>;

export function useSubmit<Value>(
  act: Act<Value>,
  done: (value: Value) => void,
): readonly [Submission, (event: FormEvent<HTMLFormElement>) => void, forget: () => void] {
  const [submission, setSubmission] = useState<Submission>({ state: "idle" });
  // What is shown comes too late for two presses in one task.
  const isBusy = useRef(false);

  async function submit(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    isBusy.current = true;
    setSubmission({ state: "busy" });
    const result = await attempt(() => act((name) => textIn(data, name)));
    isBusy.current = false;
    if (!result.ok) {
      setSubmission({ state: "failed", failure: result.error });
      return;
    }
    setSubmission({ state: "idle" });
    // Whoever has closed it meanwhile is elsewhere, maybe in another one: nothing leads them on from there.
    if (form.isConnected) done(result.value);
  }

  return [
    submission,
    (event) => {
      event.preventDefault();
      if (!isBusy.current) void submit(event.currentTarget);
    },
    // The form asks something else now, of which what failed says nothing.
    () => setSubmission({ state: "idle" }),
  ];
}

/** A disk that fails leaves nobody before a busy button. */
async function attempt<Value>(act: () => ReturnType<Act<Value>>): Promise<Result<Value, Failure>> {
  try {
    return await act();
  } catch (error) {
    reportError(error);
    return failed({ code: "internal", detail: formSays.deviceFailed });
  }
}

export function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value : "";
}

/** The catalogue's details of a bad field begin with the field's name. */
const NAMED = /^(\w+):? (.+)$/;

/** What to show at a field, if the failure is about it: "Password needs at least 10 characters." */
export function faultOf(submission: Submission, field: string, label: string): string | undefined {
  const named = submission.state === "failed" ? NAMED.exec(submission.failure.detail) : null;
  return named !== null && named[1] === field ? `${label} ${named[2]}` : undefined;
}

/** What to show under the form: a failure that is about none of its fields. */
export function formFault(submission: Submission, fields: readonly string[]): string | undefined {
  if (submission.state !== "failed") return undefined;
  const named = NAMED.exec(submission.failure.detail);
  return named !== null && fields.includes(named[1] ?? "") ? undefined : detailByHand(submission.failure);
}

/** What was asked for by hand is asked for again by hand: the catalogue speaks of what is tried again by itself. */
export function detailByHand({ code, detail }: Failure): string {
  return code === "upstream_unavailable" ? formSays.unavailable : detail;
}
