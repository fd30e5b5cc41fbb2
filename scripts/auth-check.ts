/**
 * `npm run auth-check -- <url>`: whether an authorisation endpoint does what the rooms and the app expect of it
 * (docs/protocol.md, section 2), and in words what to mend where it doesn't ([AU11]).
 */
import { parseArgs } from "node:util";
import { createRemoteJWKSet, decodeProtectedHeader, decodeJwt, jwtVerify } from "jose";
import * as v from "valibot";
import { authResponse, problem } from "#protocol/http.ts";
import { TOKEN_LEEWAY_S } from "#protocol/limits.ts";
import { parseRoomName, roomNameOf } from "#protocol/room-name.ts";
import { permsFor, readClaims, TOKEN_ALGORITHMS } from "#protocol/token.ts";

export interface Check {
  readonly endpoint: string;
  /** What the person who is signed in would send: `cookie` or `authorization`. Without it only half is checked. */
  readonly credentials: Readonly<Record<string, string>>;
  /** One they may enter. */
  readonly room: string;
  /** Where the pages are, when that is another origin. */
  readonly origin?: string;
  /** Address of the issuer's JWK set. */
  readonly jwks?: string;
}

export interface Finding {
  readonly what: string;
  /** What is wrong and what to do about it; null when it is as it should be. */
  readonly mend: string | null;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 10_000;
/** Well formed, and nobody's. */
const NOBODYS_ROOM = "channel:causeway-auth-check_nothing-here";
const FOREIGN_HEADERS = ["jwk", "jku", "x5u", "x5c", "crit"];

export async function checkEndpoint(check: Check, fetch: Fetch = globalThis.fetch): Promise<Finding[]> {
  const findings: Finding[] = [];
  const note = (what: string, mend: string | null): void => void findings.push({ what, mend });
  const ask = async (body: unknown, headers: Readonly<Record<string, string>>): Promise<Answer> =>
    answerOf(
      await fetch(check.endpoint, {
        method: "POST",
        headers: { "content-type": "application/json", ...(check.origin ? { origin: check.origin } : {}), ...headers },
        body: JSON.stringify(body),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }),
    );

  note("nobody gets 401", problemFault(await ask({ room: check.room }, {}), 401));
  if (check.origin !== undefined) note("CORS lets the pages ask", await corsFault(check.endpoint, check.origin, fetch));
  if (Object.keys(check.credentials).length === 0) {
    note(
      "somebody gets a token",
      "Not checked: pass --cookie or --authorization of somebody who is signed in, and --room.",
    );
    return findings;
  }
  const unknown = await ask({ room: NOBODYS_ROOM }, check.credentials);
  note("an unknown room gets 403 with `refused`", problemFault(unknown, 403) ?? refusedFault(unknown));
  const nonsense = await ask({ rooms: "all of them" }, check.credentials);
  note("a body that doesn't fit gets 400 or 422", nonsenseFault(nonsense));
  const alone = await ask({ room: check.room }, check.credentials);
  note("`room` alone gets a token", tokenFault(alone));
  const body = { room: check.room, rooms: [check.room, NOBODYS_ROOM], reason: "connect", v: 1 };
  const granted = await ask(body, check.credentials);
  const fault = tokenFault(granted);
  note("`rooms` gets a token for what may be had, and names the rest in `refused`", fault ?? partlyFault(granted));
  const answer = v.safeParse(authResponse, granted.json);
  if (fault === null && answer.success) await noteToken(answer.output.token, granted, check, note);
  return findings;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, json };
}

function problemFault(answer: Answer, status: number): string | null {
  const type = answer.headers.get("content-type") ?? "no content-type";
  if (answer.status >= 300 && answer.status < 400) {
    return `It redirects (${answer.status}); clients take that for a captive portal and try for ever. Answer ${status} itself.`;
  }
  if (answer.status !== status) return `It answers ${answer.status}; answer ${status}.`;
  if (type.includes("text/html"))
    return "It answers HTML, which clients take for a captive portal. Answer application/problem+json.";
  if (!v.is(problem, answer.json))
    return 'The body is no problem with a known code: send {"code": …, "detail": "…"} as application/problem+json.';
  return null;
}

function refusedFault({ json }: Answer): string | null {
  const refused = v.safeParse(
    v.object({ refused: v.record(v.string(), v.object({ code: v.string(), reason: v.string() })) }),
    json,
  );
  if (!refused.success)
    return 'The body has no `refused`: send {"refused": {"<room>": {"code": "forbidden", "reason": "…"}}} beside the code.';
  return NOBODYS_ROOM in refused.output.refused ? null : "`refused` doesn't name the room that was asked for.";
}

function nonsenseFault({ status }: Answer): string | null {
  if (status === 400 || status === 422) return null;
  return `It answers ${status}. With 200 it believed it; with 5xx clients ask again for ever. Answer 400 or 422.`;
}

function tokenFault(answer: Answer): string | null {
  if (answer.status !== 200)
    return `It answers ${answer.status}; answer 200. Are the credentials good, and is the room one they may enter?`;
  if (!v.is(authResponse, answer.json))
    return 'The body is not {"token": "<JWT>", "refused": {…}}; a 200 without a token is taken for a captive portal.';
  const kept = answer.headers.get("cache-control") ?? "";
  return kept.includes("no-store") ? null : "The token may be kept by caches: send `Cache-Control: no-store`.";
}

function partlyFault({ json }: Answer): string | null {
  const answer = v.safeParse(authResponse, json);
  return answer.success && NOBODYS_ROOM in answer.output.refused
    ? null
    : "The room that nobody has isn't in `refused`; the client would wait for it without knowing why.";
}

async function noteToken(
  token: string,
  answer: Answer,
  check: Check,
  note: (what: string, mend: string | null) => void,
): Promise<void> {
  note("the token's header binds one key", headerFault(token));
  // Of what can't be read the rest says nothing, and what was found so far is to be told.
  if (!isReadable(token)) return;
  note("the token's claims are complete", claimsFault(token, check.room));
  note("the clocks agree", clockFault(token, answer));
  note("the published keys verify the token", await keyFault(token, check));
}

function isReadable(token: string): boolean {
  try {
    decodeProtectedHeader(token);
    decodeJwt(token);
    return true;
  } catch {
    return false;
  }
}

function headerFault(token: string): string | null {
  if (!isReadable(token)) return "It isn't a JWT in compact form (header.payload.signature).";
  const header = decodeProtectedHeader(token);
  const known: readonly unknown[] = TOKEN_ALGORITHMS;
  if (!known.includes(header.alg))
    return `Its alg is ${String(header.alg)}; rooms take ${TOKEN_ALGORITHMS.join(", ")}.`;
  const foreign = FOREIGN_HEADERS.filter((name) => name in header);
  if (foreign.length > 0)
    return `Its header holds ${foreign.join(", ")}; rooms refuse that. Leave it out and publish the key.`;
  return header.kid === undefined && header.alg !== "HS256"
    ? "It has no kid, so no key of a set can be found for it."
    : null;
}

function claimsFault(token: string, room: string): string | null {
  const payload = decodeJwt(token);
  if (payload.aud === undefined) return "It has no aud; set it to what the deployment trusts (`causeway` by default).";
  // Its own time, so that a clock that is wrong is reported once, by the check for it.
  const claims = readClaims(payload, payload.iat ?? 0);
  if (!claims.ok) {
    return claims.error === "lifetime"
      ? "exp - iat must be 60 s to 3,600 s."
      : "Claims are missing or wrong: iss, sub, iat, exp, ws and perms are needed; info may have 1 KB.";
  }
  const ref = parseRoomName(room);
  if (!ref) return `${room} is not the name of a room; pass --room workspace:W or channel:W_C.`;
  if (claims.value.ws !== ref.workspace)
    return `ws is ${claims.value.ws}; it must be ${ref.workspace}, the workspace of the room.`;
  return permsFor(claims.value, ref).includes("read")
    ? null
    : `perms grant nothing for ${roomNameOf(ref)}; at least "read" is needed.`;
}

function clockFault(token: string, answer: Answer): string | null {
  const { iat = 0 } = decodeJwt(token);
  const off = iat - Date.now() / 1_000;
  if (Math.abs(off) <= TOKEN_LEEWAY_S) return null;
  const served = Date.parse(answer.headers.get("date") ?? "") / 1_000;
  const whose = Math.abs(served - iat) <= TOKEN_LEEWAY_S ? "Its clock or this one is wrong" : "iat isn't its own time";
  return `iat is ${Math.abs(Math.round(off))} s ${off > 0 ? "ahead of" : "behind"} this clock; rooms allow ${TOKEN_LEEWAY_S}. ${whose}.`;
}

async function keyFault(token: string, { endpoint, jwks }: Check): Promise<string | null> {
  if (decodeProtectedHeader(token).alg === "HS256") return null;
  const url = new URL(jwks ?? "/.well-known/jwks.json", endpoint);
  try {
    // Times have their own check.
    await jwtVerify(token, createRemoteJWKSet(url), { currentDate: new Date((decodeJwt(token).iat ?? 0) * 1_000) });
    return null;
  } catch (error) {
    return `The keys at ${url.href} don't verify it (${error instanceof Error ? error.message : "no reason"}). Pass --jwks if they are elsewhere.`;
  }
}

async function corsFault(endpoint: string, origin: string, fetch: Fetch): Promise<string | null> {
  const headers = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
  };
  const answer = await fetch(endpoint, { method: "OPTIONS", headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const allowed = answer.headers.get("access-control-allow-origin");
  if (!answer.ok) return `The preflight gets ${answer.status}; answer 204.`;
  if (allowed !== origin && allowed !== "*")
    return `Access-Control-Allow-Origin is ${allowed ?? "missing"}; it must be ${origin}.`;
  const names = (answer.headers.get("access-control-allow-headers") ?? "").toLowerCase();
  const missing = ["authorization", "content-type"].filter((name) => !names.includes(name));
  return missing.length === 0 ? null : `Access-Control-Allow-Headers lacks ${missing.join(" and ")}.`;
}

const USAGE = `npm run auth-check -- <url> --room <room> (--cookie <cookie> | --authorization <value>)
                           [--origin <origin of the pages>] [--jwks <url>]`;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { room: text, cookie: text, authorization: text, origin: text, jwks: text },
  });
  const [endpoint] = positionals;
  if (endpoint === undefined || !URL.canParse(endpoint)) {
    console.log(USAGE);
    process.exitCode = 2;
    return;
  }
  const { room = NOBODYS_ROOM, cookie, authorization, origin, jwks } = values;
  const credentials = { ...(cookie ? { cookie } : {}), ...(authorization ? { authorization } : {}) };
  const findings = await checkEndpoint({
    endpoint,
    room,
    credentials,
    ...(origin ? { origin } : {}),
    ...(jwks ? { jwks } : {}),
  });
  for (const { what, mend } of findings) console.log(mend === null ? `ok    ${what}` : `mend  ${what}: ${mend}`);
  const open = findings.filter(({ mend }) => mend !== null).length;
  console.log(open === 0 ? "The endpoint conforms." : `${open} of ${findings.length} to mend.`);
  process.exitCode = open === 0 ? 0 : 1;
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    // No stack for a wrong address: whoever runs this looks for what to mend in the endpoint.
    console.log(`mend  the endpoint answers: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
