// The one way to call the edge and rooms over HTTP. A captive portal answers everything with a page of its own; such an
// answer is no network, never data and never a sign-out ([AU2]).
import { problem } from "#protocol/http.ts";
import { failure, type Failure } from "#protocol/errors.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { AUTH_TIMEOUT_MS } from "#protocol/limits.ts";
import * as v from "valibot";
import { WORKING_OFFLINE } from "../store/work-offline.ts";
import type { Ports } from "./ports.ts";

export interface Call {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly body?: unknown;
  readonly credentials?: RequestCredentials;
  readonly bearer?: string;
  /** Where it may take longer than an answer of the edge. */
  readonly timeoutMs?: number;
  /** Called off from outside: an answer that comes all the same is for nobody. */
  readonly signal?: AbortSignal;
}

/** What came back, before anybody judges it. */
export type Answer =
  /** `isChosen`: the person chose to do without, so it wasn't asked. */
  | { readonly kind: "no-network"; readonly isChosen?: true }
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Parsed JSON; undefined where there was none. */
      readonly body: unknown;
      /** Seconds, from the header or the problem. */
      readonly retryAfter?: number;
    };

type HttpPorts = Pick<Ports, "fetch" | "origin" | "timers">;

export async function ask(ports: HttpPorts, call: Call): Promise<Answer> {
  const given = new AbortController();
  const timer = ports.timers.set(() => given.abort(), call.timeoutMs ?? AUTH_TIMEOUT_MS);
  const signal = call.signal === undefined ? given.signal : AbortSignal.any([given.signal, call.signal]);
  try {
    const response = await ports.fetch(new URL(call.url, ports.origin).href, {
      method: call.method,
      // A redirect is a portal's doing; ours never redirect.
      redirect: "manual",
      cache: "no-store",
      credentials: call.credentials ?? "same-origin",
      signal,
      headers: {
        accept: "application/json, application/problem+json",
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...(call.bearer === undefined ? {} : { authorization: `Bearer ${call.bearer}` }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    return await read(response);
  } catch (error) {
    // Refused, reset, timed out or cut off while the body came: `fetch` doesn't tell which, and it is all one.
    const isChosen = error instanceof Error && error.message === WORKING_OFFLINE;
    return isChosen ? { kind: "no-network", isChosen } : { kind: "no-network" };
  } finally {
    ports.timers.clear(timer);
  }
}

async function read(response: Response): Promise<Answer> {
  const { status } = response;
  const type = response.headers.get("content-type") ?? "";
  const isRedirect = response.type === "opaqueredirect" || (status >= 300 && status < 400);
  if (isRedirect || status === 511 || type.includes("text/html")) return { kind: "no-network" };
  const text = await response.text();
  const body = parseJson(text);
  if (status < 400 && text !== "" && body === undefined) return { kind: "no-network" };
  const told = v.safeParse(problem, body);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfter = told.success ? (told.output.retryAfter ?? seconds) : seconds;
  return { kind: "answered", status, body, ...(Number.isFinite(retryAfter) ? { retryAfter } : {}) };
}

function parseJson(text: string): unknown {
  try {
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** A call whose answer must fit a schema; anything else is a failure in the catalogue's words. */
export async function request<Schema extends v.GenericSchema>(
  ports: HttpPorts,
  call: Call,
  schema: Schema,
): Promise<Result<v.InferOutput<Schema>, Failure>> {
  return judge(await ask(ports, call), schema);
}

export function judge<Schema extends v.GenericSchema>(
  answer: Answer,
  schema: Schema,
): Result<v.InferOutput<Schema>, Failure> {
  if (answer.kind === "no-network") return failed(failure("offline", answer.isChosen ? { rule: "chosen" } : {}));
  const { status, body } = answer;
  if (status < 400) {
    const value = v.safeParse(schema, body);
    // A 200 that isn't ours: some other server answers under this name.
    return value.success ? ok(value.output) : failed(failure("offline"));
  }
  const told = v.safeParse(problem, body);
  if (told.success) {
    const { code, detail, retryAfter } = told.output;
    return failed({ code, detail, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }
  if (status === 401) return failed(failure("unauthenticated"));
  if (status === 429) return failed(failure("rate_limited", { seconds: answer.retryAfter ?? 10 }));
  return failed(failure(status >= 500 ? "upstream_unavailable" : "internal"));
}
