// The two kinds of answer the edge gives: JSON, and a problem (RFC 9457) with a code of the catalogue.
import { problemOf, type Failure } from "#protocol/errors.ts";

const NEVER_STORED = { "cache-control": "no-store" } as const;

/** @param headers added one by one: there may be several cookies among them */
export function json(body: unknown, status = 200, headers: Headers = new Headers()): Response {
  const answer = Response.json(body, { status, headers: NEVER_STORED });
  for (const [name, value] of headers) {
    if (name === "cache-control") answer.headers.set(name, value);
    else answer.headers.append(name, value);
  }
  return answer;
}

export function empty(): Response {
  return new Response(null, { status: 204, headers: NEVER_STORED });
}

/** `extra` stands beside the code in the body, as `refused` of the authorisation endpoint does. */
export function problem(error: Failure, extra: Readonly<Record<string, unknown>> = {}): Response {
  const body = problemOf(error, extra);
  const headers = new Headers({ "content-type": "application/problem+json", ...NEVER_STORED });
  if (error.retryAfter !== undefined) headers.set("retry-after", String(Math.ceil(error.retryAfter)));
  if (body.status === 401) headers.set("www-authenticate", 'Bearer realm="causeway"');
  return new Response(JSON.stringify(body), { status: body.status, headers });
}
