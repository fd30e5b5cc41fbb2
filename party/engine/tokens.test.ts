import { base64url, CompactSign, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import type { RoomRef } from "#protocol/room-name.ts";
import { TOKEN_MAX_CHARS } from "#protocol/limits.ts";
import { Verifier } from "./tokens.ts";
import { readTrust } from "./trust.ts";

const NOW_S = 1_780_000_000;
const room: RoomRef = { party: "channel", workspace: "w" as WorkspaceId, channel: "c" as ChannelId };

interface Keys {
  readonly es: { readonly privateKey: CryptoKey; readonly jwk: JWK };
  readonly rsa: { readonly privateKey: CryptoKey; readonly jwk: JWK };
  readonly ed: { readonly privateKey: CryptoKey; readonly jwk: JWK };
  readonly stranger: CryptoKey;
}

let keys: Keys;
let verifier: Verifier;
const SECRET = "a shared secret of at least 32 bytes";

async function pair(alg: string, kid: string): Promise<Keys["es"]> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

beforeAll(async () => {
  const stranger = await generateKeyPair("ES256");
  keys = {
    es: await pair("ES256", "es"),
    rsa: await pair("RS256", "rsa"),
    ed: await pair("EdDSA", "ed"),
    stranger: stranger.privateKey,
  };
  const jwks = { keys: [keys.es.jwk, keys.rsa.jwk, keys.ed.jwk] };
  const issuers = [
    { issuer: "causeway", jwks },
    { issuer: "shared", secret: SECRET },
    { issuer: "elsewhere", jwksUrl: "https://keys.example/jwks.json", workspaces: ["other"], role: "guest" },
  ];
  verifier = new Verifier(readTrust(JSON.stringify(issuers)), async () => ({
    keys: jwks.keys.map((key) => ({ ...key, kty: key.kty ?? "" })),
  }));
});

const claims = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  iss: "causeway",
  aud: "causeway",
  sub: "u1",
  iat: NOW_S,
  exp: NOW_S + 3_600,
  ws: "w",
  perms: { "channel:w_c": ["read", "write"] },
  ...more,
});

function sign(
  payload: Record<string, unknown>,
  header: Record<string, unknown> = {},
  key: CryptoKey | Uint8Array = keys.es.privateKey,
): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "es", ...header }).sign(key);
}

function raw(header: object, payload: object, signature = ""): string {
  return (
    [JSON.stringify(header), JSON.stringify(payload)].map((part) => base64url.encode(part)).join(".") + `.${signature}`
  );
}

async function outcome(token: string, ref: RoomRef = room): Promise<string> {
  const result = await verifier.verify(token, ref, NOW_S * 1_000);
  return result.ok ? "ok" : result.error.code;
}

/** Every case of the list of attacks, beside what must be taken. */
const TABLE: readonly [what: string, token: () => string | Promise<string>, expected: string][] = [
  ["ES256 by its key", () => sign(claims()), "ok"],
  ["RS256 by its key", () => sign(claims(), { alg: "RS256", kid: "rsa" }, keys.rsa.privateKey), "ok"],
  ["EdDSA by its key", () => sign(claims(), { alg: "EdDSA", kid: "ed" }, keys.ed.privateKey), "ok"],
  [
    "HS256 by the shared secret",
    () => sign(claims({ iss: "shared" }), { alg: "HS256" }, new TextEncoder().encode(SECRET)),
    "ok",
  ],
  ["alg none", () => raw({ alg: "none", kid: "es" }, claims()), "unauthenticated"],
  ["alg None", () => raw({ alg: "None", kid: "es" }, claims()), "unauthenticated"],
  ["alg NONE", () => raw({ alg: "NONE", kid: "es" }, claims()), "unauthenticated"],
  ["no alg", () => raw({ kid: "es" }, claims()), "unauthenticated"],
  ["an empty signature", () => raw({ alg: "ES256", kid: "es" }, claims()), "unauthenticated"],
  ["a signature cut off", async () => (await sign(claims())).slice(0, -8), "unauthenticated"],
  ["claims changed after signing", async () => changed(await sign(claims())), "unauthenticated"],
  [
    "the RS256 key as HS256 secret",
    () => sign(claims(), { alg: "HS256", kid: "rsa" }, publicBytes()),
    "unauthenticated",
  ],
  [
    "HS256 with a weak secret",
    () => sign(claims({ iss: "shared" }), { alg: "HS256" }, new TextEncoder().encode("secret")),
    "unauthenticated",
  ],
  [
    "HS256 for an issuer with keys",
    () => sign(claims(), { alg: "HS256" }, new TextEncoder().encode(SECRET)),
    "unauthenticated",
  ],
  ["a stranger's key under our kid", () => sign(claims(), {}, keys.stranger), "unauthenticated"],
  ["an embedded jwk", () => sign(claims(), { jwk: keys.es.jwk }), "unauthenticated"],
  ["jku to a foreign URL", () => sign(claims(), { jku: "https://evil.example/jwks" }), "unauthenticated"],
  ["x5u to a foreign URL", () => sign(claims(), { x5u: "https://evil.example/x" }), "unauthenticated"],
  ["an x5c chain", () => sign(claims(), { x5c: ["MIIB"] }), "unauthenticated"],
  ["kid with a path", () => sign(claims(), { kid: "../../dev/null" }), "unauthenticated"],
  ["kid with SQL", () => sign(claims(), { kid: "x' OR '1'='1" }), "unauthenticated"],
  ["kid __proto__", () => sign(claims(), { kid: "__proto__" }), "unauthenticated"],
  ["an unknown kid", () => sign(claims(), { kid: "nobody" }), "unauthenticated"],
  ["no kid", () => sign(claims(), { kid: undefined }), "unauthenticated"],
  ["a crit header", () => withCrit(), "unauthenticated"],
  ["exp past the leeway", () => sign(claims({ iat: NOW_S - 3_631, exp: NOW_S - 31 })), "token_expired"],
  ["exp past, within 30 s", () => sign(claims({ iat: NOW_S - 3_630, exp: NOW_S - 30 })), "ok"],
  ["exp past by 10 min", () => sign(claims({ iat: NOW_S - 4_200, exp: NOW_S - 600 })), "token_expired"],
  ["nbf in the future", () => sign(claims({ nbf: NOW_S + 31 })), "unauthenticated"],
  ["no exp", () => sign(claims({ exp: undefined })), "unauthenticated"],
  ["exp as a text", () => sign(claims({ exp: "soon" })), "unauthenticated"],
  ["iat in the future, within 30 s", () => sign(claims({ iat: NOW_S + 30, exp: NOW_S + 600 })), "ok"],
  ["iat in the future by 10 min", () => sign(claims({ iat: NOW_S + 600, exp: NOW_S + 1_200 })), "unauthenticated"],
  ["a life over 1 h", () => sign(claims({ exp: NOW_S + 3_601 })), "unauthenticated"],
  ["a life under 60 s", () => sign(claims({ exp: NOW_S + 59 })), "unauthenticated"],
  ["another iss", () => sign(claims({ iss: "evil" })), "unauthenticated"],
  ["iss of another key", () => sign(claims({ iss: "shared" })), "unauthenticated"],
  ["another aud", () => sign(claims({ aud: "other" })), "unauthenticated"],
  ["the service's aud", () => sign(claims({ aud: "causeway:service" })), "unauthenticated"],
  ["no aud", () => sign(claims({ aud: undefined })), "unauthenticated"],
  ["no sub", () => sign(claims({ sub: undefined })), "unauthenticated"],
  ["an empty sub", () => sign(claims({ sub: "" })), "unauthenticated"],
  ["a sub outside the alphabet", () => sign(claims({ sub: "../u" })), "unauthenticated"],
  ["another room", () => sign(claims({ perms: { "channel:w_other": ["read"] } })), "forbidden"],
  ["another workspace", () => sign(claims({ ws: "other", perms: { "channel:other_c": ["read"] } })), "forbidden"],
  ["[RM4] perms here but another ws", () => sign(claims({ ws: "other" })), "forbidden"],
  [
    "an empty list of perms",
    () => sign(claims({ perms: { "channel:w_*": ["read"], "channel:w_c": [] } })),
    "forbidden",
  ],
  ["perms by the star", () => sign(claims({ perms: { "channel:w_*": ["read"] } })), "ok"],
  ["a star across workspaces", () => sign(claims({ perms: { "channel:*": ["read"], "*": ["read"] } })), "forbidden"],
  ["perms nobody knows", () => sign(claims({ perms: { "channel:w_c": ["root"] } })), "unauthenticated"],
  ["1 MB of token", () => sign(claims({ info: { name: "x".repeat(1_000_000) } })), "unauthenticated"],
  ["over 1 KB of info", () => sign(claims({ info: { name: "x".repeat(1_100) } })), "unauthenticated"],
  ["[AU10] an issuer for other workspaces", () => sign(claims({ iss: "elsewhere" })), "forbidden"],
  ["nothing", () => "", "unauthenticated"],
  ["two dots", () => "..", "unauthenticated"],
  ["not a token", () => "Bearer of bad news", "unauthenticated"],
];

function changed(token: string): string {
  const [header, , signature] = token.split(".");
  return `${header}.${base64url.encode(JSON.stringify(claims({ sub: "u2" })))}.${signature}`;
}

function publicBytes(): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(keys.rsa.jwk));
}

function withCrit(): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims())))
    .setProtectedHeader({ alg: "ES256", kid: "es", crit: ["b64"], b64: true })
    .sign(keys.es.privateKey);
}

describe("a room token", () => {
  it.each(TABLE)("%s", async (_what, token, expected) => {
    expect(await outcome(await token())).toBe(expected);
  });

  it("is refused unread when it is too long", async () => {
    expect(await outcome(`${"a".repeat(TOKEN_MAX_CHARS)}.b.c`)).toBe("unauthenticated");
  });

  it("[AU10] names a role no higher than its issuer may", async () => {
    const perms = { "channel:other_c": ["read"] };
    const token = await sign(claims({ iss: "elsewhere", ws: "other", perms, role: "admin" }));
    const there: RoomRef = { ...room, workspace: "other" as WorkspaceId };
    const result = await verifier.verify(token, there, NOW_S * 1_000);
    expect(result).toMatchObject({ ok: true, value: { role: "guest" } });
  });

  it("[AU10] never names an owner", async () => {
    expect(await outcome(await sign(claims({ role: "owner" })))).toBe("unauthenticated");
  });

  it("[AU13] of a foreign issuer makes a user of its own, whatever its sub", async () => {
    const foreign = await sign(
      claims({ iss: "shared", sub: "u1" }),
      { alg: "HS256" },
      new TextEncoder().encode(SECRET),
    );
    const [own, other] = await Promise.all(
      [await sign(claims()), foreign].map((token) => verifier.verify(token, room, NOW_S * 1_000)),
    );
    expect(own).toMatchObject({ ok: true, value: { user: "u1" } });
    expect(other?.ok && other.value.user).toMatch(/^x[A-Za-z0-9_-]{22}$/);
  });
});

describe("keys by address", () => {
  it("are asked for again for an unknown kid, at most once a minute, and kept when that fails", async () => {
    let asked = 0;
    let fails = false;
    const fetching = new Verifier(
      readTrust(JSON.stringify([{ issuer: "causeway", jwksUrl: "https://keys.example/jwks.json" }])),
      async () => {
        asked += 1;
        if (fails) throw new Error("Down");
        return { keys: [{ ...keys.es.jwk, kty: "EC" }] };
      },
    );
    const at = (seconds: number, token: string): Promise<string> =>
      fetching.verify(token, room, (NOW_S + seconds) * 1_000).then((result) => (result.ok ? "ok" : result.error.code));
    const [good, unknown] = [await sign(claims()), await sign(claims(), { kid: "new" })];
    expect(await at(0, good)).toBe("ok");
    expect(await at(1, good)).toBe("ok");
    expect(await at(2, unknown)).toBe("unauthenticated");
    expect(asked).toBe(1);
    expect(await at(61, unknown)).toBe("unauthenticated");
    expect(await at(62, unknown)).toBe("unauthenticated");
    expect(asked).toBe(2);
    fails = true;
    expect(await at(130, unknown)).toBe("upstream_unavailable");
    expect(await at(131, good)).toBe("ok");
  });
});

describe("the trust list", () => {
  it.each([
    ["nothing", undefined],
    ["not JSON", "{"],
    ["no list", "{}"],
    ["a secret that can be guessed", JSON.stringify([{ issuer: "i", secret: "short" }])],
    ["no key at all", JSON.stringify([{ issuer: "i" }])],
    ["owner as the highest role", JSON.stringify([{ issuer: "i", secret: SECRET, role: "owner" }])],
  ])("[AU10] with %s is an error, not an empty list", async (_what, issuers) => {
    expect(() => readTrust(issuers)).toThrow("ISSUERS");
  });
});
