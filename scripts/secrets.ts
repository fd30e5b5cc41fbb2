/**
 * Makes the keys and secrets of a local deployment where they are missing, and never changes one
 * that is there: a changed key would end every session and every token.
 *
 * Worker secrets go to `.dev.vars`; what the rooms need goes to `.env.local` too, since PartyKit doesn't
 * read `.dev.vars`. While `.dev.vars` exists wrangler hands no key of the `.env` files to the Worker.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { inRoot } from "./paths.ts";

export interface LocalSecrets {
  readonly BETTER_AUTH_SECRET: string;
  readonly SERVICE_SECRET: string;
  /** JSON: the private JWK set (ES256) that signs room tokens. */
  readonly ROOM_KEYS: string;
  /** JSON: the issuers whose room tokens are trusted ([AU10]); ours, by its public keys. */
  readonly ISSUERS: string;
  /** Anyone may sign up on a laptop; a deployment starts closed. */
  readonly OPEN_SIGNUP: string;
}

export function makeSecrets(): LocalSecrets {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = {
    ...privateKey.export({ format: "jwk" }),
    kid: `local-${randomBytes(6).toString("hex")}`,
    alg: "ES256",
    use: "sig",
  };
  return {
    BETTER_AUTH_SECRET: randomBytes(32).toString("base64url"),
    SERVICE_SECRET: randomBytes(32).toString("base64url"),
    ROOM_KEYS: JSON.stringify({ keys: [jwk] }),
    ISSUERS: issuersOf([jwk]),
    OPEN_SIGNUP: "true",
  };
}

function issuersOf(privateKeys: readonly object[]): string {
  const keys = privateKeys.map((key) => Object.fromEntries(Object.entries(key).filter(([name]) => name !== "d")));
  return JSON.stringify([{ issuer: "causeway", jwks: { keys } }]);
}

/** `KEY=value` lines; values in single quotes, because JSON has double ones. */
export function writeVars(vars: Readonly<Record<string, string>>): string {
  return Object.entries(vars)
    .map(([key, value]) => `${key}='${value}'\n`)
    .join("");
}

/** Reads back what `writeVars` and most people write: comments and empty lines skipped, quotes taken off. */
export function readVars(text: string): Record<string, string> {
  const vars: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const match = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line);
    if (!match?.[1] || match[2] === undefined) continue;
    vars[match[1]] = match[2].replace(/^(['"])(.*)\1$/, "$2");
  }
  return vars;
}

/** The variables to add so that a local deployment is complete. What is derived follows what is there. */
export function missingVars(present: Readonly<Record<string, string>>): Record<string, string> {
  const made: Record<string, string> = { ...makeSecrets() };
  const roomKeys = present["ROOM_KEYS"];
  if (roomKeys) made["ISSUERS"] = issuersOf((JSON.parse(roomKeys) as { keys: object[] }).keys);
  return Object.fromEntries(Object.entries(made).filter(([key]) => present[key] === undefined));
}

/** Makes `.dev.vars` and `.env.local` complete and returns the Worker's variables. */
export function ensureSecrets(): Record<string, string> {
  const worker = complete(inRoot(".dev.vars"), missingVars);
  complete(inRoot(".env.local"), (present) =>
    Object.fromEntries(
      ["SERVICE_SECRET", "ISSUERS"].filter((key) => present[key] === undefined).map((key) => [key, worker[key] ?? ""]),
    ),
  );
  return worker;
}

function complete(
  file: string,
  missing: (present: Readonly<Record<string, string>>) => Record<string, string>,
): Record<string, string> {
  for (;;) {
    const text = readIfThere(file);
    const present = readVars(text ?? "");
    const added = missing(present);
    if (Object.keys(added).length === 0) return present;
    const whole =
      (text === undefined || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`) + writeVars(added);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, whole, { mode: 0o600 });
    try {
      if (text !== undefined) {
        writeFileSync(file, whole, { mode: 0o600 });
        return { ...present, ...added };
      }
      // Two starts at once must end with the same keys: the first link wins, the second reads it.
      linkSync(draft, file);
      return { ...present, ...added };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
