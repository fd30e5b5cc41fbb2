// The list of tokens that must be refused, on connecting and on every renewal, as attacks on one good token.
import { base64url, CompactSign, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import { roomNameOf, type RoomRef } from "#protocol/room-name.ts";

export interface Attack {
  readonly what: string;
  /** The close it must lead to. */
  readonly close: 4401 | 4403;
  readonly token: string;
}

export interface Target {
  readonly room: RoomRef;
  readonly user: string;
  readonly key: CryptoKey | Uint8Array;
  readonly kid: string;
  readonly nowS: number;
}

type Sign = (
  claims?: Record<string, unknown>,
  header?: Record<string, unknown>,
  key?: CryptoKey | Uint8Array,
) => Promise<string>;

export async function attacksOn({ room, user, key, kid, nowS }: Target): Promise<readonly Attack[]> {
  const good = {
    iss: "causeway",
    aud: "causeway",
    sub: user,
    iat: nowS,
    exp: nowS + 3_600,
    ws: room.workspace,
    perms: { [roomNameOf(room)]: ["read", "write"] },
  };
  const sign: Sign = (claims = {}, header = {}, by = key) =>
    new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: "ES256", kid, ...header }).sign(by);
  const raw = (header: object): string => `${encoded(header)}.${encoded(good)}.`;
  const stranger = await generateKeyPair("ES256", { extractable: true });
  const rsa = await generateKeyPair("RS256", { extractable: true });
  const signed = await sign();
  const [head = "", , signature = ""] = signed.split(".");
  const at401: readonly (readonly [string, string])[] = [
    ...["none", "None", "NONE"].map((alg) => [`alg ${alg}`, raw({ alg, kid })] as const),
    ["an empty signature", raw({ alg: "ES256", kid })],
    ["claims changed after signing", `${head}.${encoded({ ...good, sub: "somebody-else" })}.${signature}`],
    ["the public key as HS256 secret", await hs256(good, kid, JSON.stringify(await exportJWK(rsa.publicKey)))],
    ["HS256 with a weak secret", await hs256(good, kid, "secret")],
    ["RS256 under an ES256 kid", await sign({}, { alg: "RS256" }, rsa.privateKey)],
    ["a stranger's key under our kid", await sign({}, {}, stranger.privateKey)],
    ["a stranger's key, embedded", await sign({}, { jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey)],
    ["jku to a foreign URL", await sign({}, { jku: "https://evil.example/jwks" })],
    ["x5u to a foreign URL", await sign({}, { x5u: "https://evil.example/x5u" })],
    ["kid with a path", await sign({}, { kid: "../../../dev/null" })],
    ["kid with SQL", await sign({}, { kid: "' UNION SELECT 'key" })],
    ["an unknown kid", await sign({}, { kid: "unknown" })],
    ["a crit header", await withCrit(good, kid, key)],
    ["exp past", await sign({ iat: nowS - 3_700, exp: nowS - 100 })],
    ["exp past by 10 min", await sign({ iat: nowS - 4_200, exp: nowS - 600 })],
    ["nbf in the future", await sign({ nbf: nowS + 600 })],
    ["no exp", await sign({ exp: undefined })],
    ["iat in the future by 10 min", await sign({ iat: nowS + 600, exp: nowS + 900 })],
    ["a life over 1 h", await sign({ exp: nowS + 7_200 })],
    ["another iss", await sign({ iss: "https://evil.example" })],
    ["another aud", await sign({ aud: "another-service" })],
    ["no sub", await sign({ sub: "" })],
    ["not a token", "not.a.token"],
    ["nothing", ""],
  ];
  const at403: readonly (readonly [string, string])[] = [
    ["a token of another room", await sign({ perms: { [`channel:${room.workspace}_elsewhere`]: ["read"] } })],
    ["[RM4] a token of another workspace", await sign({ ws: "elsewhere" })],
    ["an empty list of perms", await sign({ perms: { [roomNameOf(room)]: [] } })],
  ];
  return [
    ...at401.map(([what, token]) => ({ what, token, close: 4401 as const })),
    ...at403.map(([what, token]) => ({ what, token, close: 4403 as const })),
  ];
}

/** Clocks that differ by half a minute are taken. */
export async function goodTokens({ room, user, key, kid, nowS }: Target): Promise<readonly string[]> {
  const claims = {
    iss: "causeway",
    aud: "causeway",
    sub: user,
    ws: room.workspace,
    perms: { [roomNameOf(room)]: ["read"] },
  };
  const sign = (iat: number, exp: number): Promise<string> =>
    new SignJWT({ ...claims, iat, exp }).setProtectedHeader({ alg: "ES256", kid }).sign(key);
  // A few seconds within the leeway, since the room's clock goes on.
  return Promise.all([sign(nowS, nowS + 3_600), sign(nowS + 25, nowS + 600), sign(nowS - 600, nowS - 10)]);
}

function encoded(part: object): string {
  return base64url.encode(JSON.stringify(part));
}

function hs256(claims: JWTPayload, kid: string, secret: string): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(new TextEncoder().encode(secret));
}

function withCrit(claims: JWTPayload, kid: string, key: CryptoKey | Uint8Array): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: "ES256", kid, crit: ["b64"], b64: true })
    .sign(key);
}
