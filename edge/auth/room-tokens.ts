// Room tokens (protocol, section 2): signed with the first of the deployment's keys; all of them are published, so a
// key is rotated by putting the new one in front and taking the old one out an hour later.
import { importJWK, SignJWT } from "jose";
import type { WorkspaceId } from "#protocol/ids.ts";
import { TOKEN_INFO_MAX_BYTES } from "#protocol/limits.ts";
import type { Perm } from "#protocol/roles.ts";
import { TOKEN_AUDIENCE } from "#protocol/token.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { uuidv7 } from "uuidv7";
import { ConfigError, configOf, type Config, type Env, type PrivateKey } from "../env.ts";
import type { Session } from "./session.ts";

const ALGORITHM = "ES256";

export interface Grant {
  readonly workspace: WorkspaceId;
  readonly perms: Readonly<Record<string, readonly Perm[]>>;
  /** As the workspace knows the person. */
  readonly name: string;
}

/** @param now epoch milliseconds */
export async function signRoomToken(env: Env, session: Session, grant: Grant, now: number): Promise<string> {
  const { ROOM_KEYS, ROOM_TOKEN_SECONDS } = configOf(env);
  const key = firstOf(ROOM_KEYS);
  const issuedAt = Math.floor(now / 1_000);
  return new SignJWT({ ws: grant.workspace, perms: grant.perms, info: infoOf(session, grant), sid: session.id })
    .setProtectedHeader({ alg: ALGORITHM, kid: key.kid })
    .setIssuer(OWN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(session.user.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ROOM_TOKEN_SECONDS)
    .setJti(uuidv7())
    .sign(await importJWK({ ...key, alg: ALGORITHM }));
}

/** The public halves. Named one by one, so that nothing private can slip through. */
export function publicKeys(env: Env): { keys: Record<string, string>[] } {
  const keys = configOf(env).ROOM_KEYS.map(({ kty, crv, kid, x, y }) => ({
    kty,
    crv,
    kid,
    x,
    y,
    alg: ALGORITHM,
    use: "sig",
  }));
  return { keys };
}

/** The address of the mail stays here: rooms have no use for it. A picture too long for the claim is left out. */
function infoOf(session: Session, grant: Grant): { name: string; picture?: string } {
  const { avatar } = session.user;
  const info = { name: grant.name };
  const pictured = avatar === null ? info : { ...info, picture: avatar };
  return JSON.stringify(pictured).length <= TOKEN_INFO_MAX_BYTES ? pictured : info;
}

function firstOf(keys: Config["ROOM_KEYS"]): PrivateKey {
  const [key] = keys;
  if (!key) throw new ConfigError("ROOM_KEYS holds no key");
  return key;
}
