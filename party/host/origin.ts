// Before a room is woken: whether the address is one, and whether the page that asks may ([RM2]).
import { failure, problemOf, rowOf, type Failure } from "#protocol/errors.ts";
import { BATCH_MAX_BYTES } from "../engine/http.ts";
import { parseRoom, type RoomRef } from "#protocol/room-name.ts";

/** What of the address comes after the room: `ops`, `changes`, … */
export interface Address {
  readonly room: RoomRef;
  readonly action: string;
}

/** Percent signs stay as they are, on every host, so an id outside the alphabet is never a room's. */
export function addressOf(url: URL): Address | null {
  const [, parties, party = "", id = "", ...rest] = url.pathname.split("/");
  const room = parties === "parties" ? parseRoom(party, id) : null;
  return room && { room, action: rest.join("/") };
}

/** No `Origin` passes: not a browser, and the token isn't ambient. */
export function isAllowedOrigin(origin: string | null, url: URL, allowed: unknown): boolean {
  if (origin === null || origin === url.origin) return true;
  const others = typeof allowed === "string" ? allowed.split(/[\s,]+/) : [];
  return origin !== "null" && others.includes(origin);
}

export function corsHeaders(origin: string | null): Record<string, string> {
  return origin === null ? {} : { "access-control-allow-origin": origin, vary: "Origin" };
}

const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-max-age": "86400",
};

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/** An answer given without the room, or null to go on to it. */
export function answerBefore(request: Asked, allowed: unknown): Response | null {
  const url = new URL(request.url);
  const origin = request.headers.get("origin");
  if (!addressOf(url)) return problemResponse(failure("not_found"), {});
  if (!isAllowedOrigin(origin, url, allowed)) {
    // Of a change no 403: that would be a right that was lost, and a proxy put in front may make our own page another.
    const isChange = request.method === "POST";
    const rule = "is no page that may call this deployment";
    return problemResponse(
      isChange ? failure("invalid", { field: "Origin", rule }) : { code: "forbidden", detail: "Not from this page." },
      {},
    );
  }
  // Before the room, so that nothing is sent on that nobody will read.
  if (Number(request.headers.get("content-length") ?? 0) > BATCH_MAX_BYTES) {
    return problemResponse(failure("too_large", { field: "The body", limit: BATCH_MAX_BYTES }), corsHeaders(origin));
  }
  if (request.method !== "OPTIONS") return null;
  return new Response(null, { status: 204, headers: { ...corsHeaders(origin), ...PREFLIGHT } });
}

export function problemResponse(error: Failure, headers: Readonly<Record<string, string>>): Response {
  const wait = error.retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(error.retryAfter)) };
  return new Response(JSON.stringify(problemOf(error)), {
    status: rowOf(error.code).http ?? 500,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...wait, ...headers },
  });
}
