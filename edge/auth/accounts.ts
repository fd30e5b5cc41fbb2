// Accounts and sessions: better-auth over D1, for e-mail and password. Only what auth/credentials.ts calls is
// reachable; the library's own router, pages and limits are not used.
import { betterAuth } from "better-auth";
import { bearer } from "better-auth/plugins/bearer";
import { uuidv7 } from "uuidv7";
import { configOf, type Env } from "../env.ts";

const DAY_S = 24 * 3_600;
/** Rolling: a session in use is prolonged, at most once a day, so that reading costs no write. */
const SESSION_S = 30 * DAY_S;
const PROLONG_AFTER_S = DAY_S;

type Accounts = ReturnType<typeof makeAccounts>;

const known = new WeakMap<Env, Map<boolean, Accounts>>();

/** One instance for each kind of cookie; making it is what costs, so it is kept while the isolate lives. */
export function accountsFor(request: Request, env: Env): Accounts {
  const secure = !isLoopback(new URL(request.url));
  const byCookie = known.get(env) ?? new Map<boolean, Accounts>();
  known.set(env, byCookie);
  const accounts = byCookie.get(secure) ?? makeAccounts(env, secure);
  byCookie.set(secure, accounts);
  return accounts;
}

function makeAccounts(env: Env, secure: boolean) {
  return betterAuth({
    appName: "Causeway",
    database: env.DB,
    secret: configOf(env).BETTER_AUTH_SECRET,
    // Nothing made here holds an address of ours (no mail, no redirects), so the deployment needs none to be set.
    baseURL: "https://causeway.invalid",
    telemetry: { enabled: false },
    // It would log addresses of people who mistyped; failures reach the edge's own boundary instead.
    logger: { disabled: true },
    // Lengths and rules are checked before the library is called, in characters as people count them.
    emailAndPassword: { enabled: true, minPasswordLength: 1, maxPasswordLength: 1_024, autoSignIn: true },
    session: { expiresIn: SESSION_S, updateAge: PROLONG_AFTER_S },
    // Both are the edge's own, for every call alike: see http/origin.ts and db/rates.ts.
    rateLimit: { enabled: false },
    advanced: {
      disableCSRFCheck: true,
      useSecureCookies: secure,
      cookiePrefix: "causeway",
      database: { generateId: () => uuidv7() },
      ipAddress: { disableIpTracking: true },
    },
    plugins: [bearer()],
  });
}

/** `Secure` cookies everywhere but on the machine itself, where browsers and programs speak plain HTTP. */
function isLoopback(url: URL): boolean {
  return url.protocol === "http:" && (/^(127\.|\[::1\]$)/.test(url.hostname) || /(^|\.)localhost$/.test(url.hostname));
}
