import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkEndpoint, type Finding } from "./auth-check.ts";

/** An endpoint somebody might have written; `variant` says what they got wrong. */
type Variant =
  | "good"
  | "redirects to a sign-in page"
  | "answers nobody with HTML"
  | "answers 200 without a token"
  | "has no refused"
  | "lets the token be kept"
  | "hands out a word"
  | "signs nothing"
  | "embeds its key"
  | "forgets kid"
  | "lasts a day"
  | "forgets ws"
  | "is for another workspace"
  | "grants nothing"
  | "is a day ahead"
  | "signs with another key"
  | "breaks on nonsense"
  | "knows no CORS";

const ROOM = "channel:W_C";
const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
const other = await generateKeyPair("ES256", { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" };

let variant: Variant = "good";

async function tokenFor(perms: Record<string, string[]>): Promise<string> {
  const iat = Math.floor(Date.now() / 1_000) + (variant === "is a day ahead" ? 86_400 : 0);
  const claims: JWTPayload = {
    iss: "https://id.example",
    aud: "causeway",
    sub: "ana",
    iat,
    exp: iat + (variant === "lasts a day" ? 86_400 : 3_600),
    ...(variant === "forgets ws" ? {} : { ws: variant === "is for another workspace" ? "V" : "W" }),
    perms: variant === "grants nothing" ? {} : perms,
  };
  if (variant === "hands out a word") return "opaque-7f3a";
  if (variant === "signs nothing") return new UnsecuredJWT(claims).encode();
  const header = {
    alg: "ES256",
    ...(variant === "forgets kid" ? {} : { kid: "k1" }),
    ...(variant === "embeds its key" ? { jwk } : {}),
  };
  return new SignJWT(claims)
    .setProtectedHeader(header)
    .sign(variant === "signs with another key" ? other.privateKey : privateKey);
}

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

async function answer(request: IncomingMessage, body: string): Promise<Reply> {
  if (request.url === "/.well-known/jwks.json") return { status: 200, body: { keys: [jwk] } };
  if (request.method === "OPTIONS") {
    const allow = {
      "access-control-allow-origin": request.headers.origin ?? "",
      "access-control-allow-headers": "authorization, content-type",
    };
    return { status: 204, headers: variant === "knows no CORS" ? {} : allow };
  }
  if (request.headers.authorization !== "Bearer ana") {
    if (variant === "redirects to a sign-in page") return { status: 302, headers: { location: "/sign-in" } };
    if (variant === "answers nobody with HTML")
      return { status: 401, headers: { "content-type": "text/html" }, body: "<p>Sign in" };
    return { status: 401, body: { code: "unauthenticated", detail: "Please sign in." } };
  }
  const { room, rooms = [] } = JSON.parse(body) as { room?: string; rooms?: string[] | string };
  if (room === undefined || typeof rooms === "string") {
    return {
      status: variant === "breaks on nonsense" ? 500 : 422,
      body: { code: "invalid", detail: "room is missing" },
    };
  }
  const names = [...new Set([room, ...rooms])];
  const refused = Object.fromEntries(
    names.filter((name) => name !== ROOM).map((name) => [name, { code: "forbidden", reason: "Not yours." }]),
  );
  const shown = variant === "has no refused" ? {} : { refused };
  if (!names.includes(ROOM)) return { status: 403, body: { code: "forbidden", detail: "Not yours.", ...shown } };
  const headers = variant === "lets the token be kept" ? {} : { "cache-control": "no-store" };
  if (variant === "answers 200 without a token") return { status: 200, headers, body: { ok: true } };
  return { status: 200, headers, body: { token: await tokenFor({ [ROOM]: ["read", "write"] }), ...shown } };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await answer(request, await text(request));
  response.writeHead(status, { "content-type": "application/problem+json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body ?? null));
}

const server = createServer((request, response) => void serve(request, response));

let endpoint = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rooms/auth`;
});
afterAll(() => {
  server.close();
});

function check(credentials: Record<string, string> = { authorization: "Bearer ana" }): Promise<Finding[]> {
  return checkEndpoint({ endpoint, room: ROOM, credentials, origin: "https://pages.example" });
}

describe("npm run auth-check", () => {
  it("[AU11] finds nothing to mend in an endpoint that conforms", async () => {
    variant = "good";
    const findings = await check();
    expect(findings.filter(({ mend }) => mend !== null)).toEqual([]);
    expect(findings).toHaveLength(10);
  });

  it("[AU11] says that half is unchecked without credentials", async () => {
    variant = "good";
    expect((await check({})).at(-1)?.mend).toMatch(/^Not checked/);
  });

  it.each<[Variant, string, RegExp]>([
    ["redirects to a sign-in page", "nobody gets 401", /captive portal/],
    ["answers nobody with HTML", "nobody gets 401", /HTML/],
    ["answers 200 without a token", "`room` alone gets a token", /captive portal/],
    ["has no refused", "an unknown room gets 403 with `refused`", /no `refused`/],
    ["lets the token be kept", "`room` alone gets a token", /no-store/],
    ["hands out a word", "the token's header binds one key", /isn't a JWT/],
    ["signs nothing", "the token's header binds one key", /alg is none/],
    ["embeds its key", "the token's header binds one key", /holds jwk/],
    ["forgets kid", "the token's header binds one key", /no kid/],
    ["lasts a day", "the token's claims are complete", /3,600/],
    ["forgets ws", "the token's claims are complete", /ws/],
    ["is for another workspace", "the token's claims are complete", /must be W/],
    ["grants nothing", "the token's claims are complete", /grant nothing/],
    ["is a day ahead", "the clocks agree", /86\d{3} s ahead/],
    ["signs with another key", "the published keys verify the token", /don't verify/],
    ["breaks on nonsense", "a body that doesn't fit gets 400 or 422", /500/],
    ["knows no CORS", "CORS lets the pages ask", /missing/],
  ])("[AU11] says what to mend in one that %s", async (wrong, what, mend) => {
    variant = wrong;
    const found = (await check()).find((finding) => finding.what === what);
    expect(found?.mend).toMatch(mend);
  });
});
