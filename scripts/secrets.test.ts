import { expect, test } from "vitest";
import { makeSecrets, missingVars, readVars, writeVars } from "./secrets.ts";

interface Jwk {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly d?: string;
}

const keysOf = (json: string | undefined): Jwk[] => (JSON.parse(json ?? "") as { keys: Jwk[] }).keys;

test("made once, the variables are complete and are read back as they were", () => {
  const made = missingVars({});
  expect(readVars(writeVars(made))).toEqual(made);
  expect(missingVars(made)).toEqual({});
});

test("our own issuer is trusted by the public half of the signing key", () => {
  const secrets = makeSecrets();
  const [signing] = keysOf(secrets.ROOM_KEYS);
  expect(signing).toMatchObject({ kty: "EC", crv: "P-256", d: expect.any(String), kid: expect.any(String) });
  const [issuer] = JSON.parse(secrets.ISSUERS) as [{ issuer: string; jwks: { keys: Jwk[] } }];
  expect(issuer.issuer).toBe("causeway");
  expect(issuer.jwks.keys).toEqual([{ ...signing, d: undefined }]);
  expect(secrets.ISSUERS).not.toContain('"d"');
});

test("what is there stays, and what is missing follows it", () => {
  const before = makeSecrets();
  const added = missingVars({ ROOM_KEYS: before.ROOM_KEYS, SERVICE_SECRET: before.SERVICE_SECRET });
  expect(Object.keys(added).sort()).toEqual(["BETTER_AUTH_SECRET", "ISSUERS", "OPEN_SIGNUP"]);
  expect(added["ISSUERS"]).toBe(before.ISSUERS);
});

test("comments, empty lines and both kinds of quotes are understood", () => {
  expect(readVars(`# a comment\n\nA=plain\n B = "two words" \nC='{"json":"yes"}'\n`)).toEqual({
    A: "plain",
    B: "two words",
    C: '{"json":"yes"}',
  });
});
