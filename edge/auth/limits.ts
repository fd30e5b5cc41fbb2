// How often a person or an address may ask: the platform's limiter for calls, counters in D1 for tries to sign in.
import { failure, type Failure } from "#protocol/errors.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { countTry, forgetTries } from "../db/rates.ts";
import { configOf, type Env } from "../env.ts";
import { addressOf } from "../http/address.ts";
import { keyedHash } from "./digest.ts";

const SIGN_IN_WINDOW_MS = 10 * 60_000;
/** The platform's limiter counts over a minute and doesn't say how much of it is left: ask again before it is over. */
const ASK_AGAIN_S = 10;

/** Token requests of one session. */
export async function limitSession(env: Env, sessionId: string): Promise<Result<null, Failure>> {
  return limitBy(env.AUTH_LIMIT, sessionId);
}

/** Calls that anybody may make, or that cost: by address. */
export async function limitAddress(env: Env, request: Request): Promise<Result<null, Failure>> {
  return limitBy(env.EDGE_LIMIT, addressOf(request));
}

async function limitBy(limiter: RateLimit | undefined, key: string): Promise<Result<null, Failure>> {
  if (!limiter) return ok(null);
  const { success } = await limiter.limit({ key });
  return success ? ok(null) : failed(failure("rate_limited", { seconds: ASK_AGAIN_S }));
}

/** One try to sign in, counted before the password is looked at, whether or not there is such an account. */
export async function countSignIn(
  env: Env,
  request: Request,
  email: string,
  now: number,
): Promise<Result<null, Failure>> {
  const { SIGN_IN_TRIES, SIGN_IN_TRIES_PER_ADDRESS } = configOf(env);
  const keys = await keysOf(env, request, email);
  const byAddress = { key: keys.address, max: SIGN_IN_TRIES_PER_ADDRESS, windowMs: SIGN_IN_WINDOW_MS };
  const byAccount = { key: keys.account, max: SIGN_IN_TRIES, windowMs: SIGN_IN_WINDOW_MS };
  const counted = await countTry(env.DB, byAddress, now);
  return counted.ok ? countTry(env.DB, byAccount, now) : counted;
}

export async function forgetSignIns(env: Env, request: Request, email: string): Promise<void> {
  const { account } = await keysOf(env, request, email);
  await forgetTries(env.DB, account);
}

/** Account *and* address, so that a stranger elsewhere can't lock anybody out. */
async function keysOf(env: Env, request: Request, email: string): Promise<{ address: string; account: string }> {
  const { BETTER_AUTH_SECRET } = configOf(env);
  const from = addressOf(request);
  const [address, account] = await Promise.all([
    keyedHash(BETTER_AUTH_SECRET, `sign-in\n${from}`),
    keyedHash(BETTER_AUTH_SECRET, `sign-in\n${from}\n${email}`),
  ]);
  return { address, account };
}
