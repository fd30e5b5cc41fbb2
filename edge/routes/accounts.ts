// Sign-up, sign-in, sign-out and the session, by e-mail and password. The library keeps accounts and sessions; what
// may be asked, how often, and what is answered when it goes wrong is decided here.
import { Hono } from "hono";
import { failure, type Failure } from "#protocol/errors.ts";
import { signIn, signUp } from "#protocol/http.ts";
import { accountsFor } from "../auth/accounts.ts";
import { countSignIn, forgetSignIns, limitAddress } from "../auth/limits.ts";
import { passwordFault } from "../auth/passwords.ts";
import { denyEverywhere } from "../auth/revocation.ts";
import { credentialsIn, credentialsOf, readSession, sessionOf } from "../auth/session.ts";
import { signUpFault } from "../auth/sign-up-gate.ts";
import { DatabaseError } from "../db/fault.ts";
import { endSession } from "../db/sessions.ts";
import { clearWay, HALF_MADE_FOR_MS } from "../db/users.ts";
import type { Env } from "../env.ts";
import { readJson } from "../http/body.ts";
import { json, problem } from "../http/reply.ts";

/** The same whether the account or the password is wrong. */
const WRONG: Failure = { ...failure("unauthenticated"), detail: "The email or the password isn't right." };
const TAKEN: Failure = { ...failure("name_taken"), detail: "There is an account with this email. Sign in instead." };
/** Nobody can sign in to it: it was cut off, or another sign-up is at work. */
const BEGUN: Failure = {
  ...failure("rate_limited", { seconds: HALF_MADE_FOR_MS / 1_000 }),
  detail: "An account with this email was begun a moment ago. Try again in a minute.",
};

export const accounts = new Hono<{ Bindings: Env }>();

accounts.post("/sign-up/email", async (c) => {
  const request = c.req.raw;
  const limited = await limitAddress(c.env, request);
  if (!limited.ok) return problem(limited.error);
  const body = await readJson(request, signUp);
  if (!body.ok) return problem(body.error);
  const { name, email, password } = body.value;
  const fault = passwordFault(password, { email, name }) ?? (await signUpFault(c.env, body.value, Date.now()));
  if (fault) return problem(fault);
  const way = await clearWay(c.env.DB, email);
  if (way !== "free") return problem(way === "taken" ? TAKEN : BEGUN);
  const answer = await accountsFor(request, c.env).api.signUpEmail({
    body: { name, email, password },
    headers: credentialsOf(request),
    asResponse: true,
  });
  // Two sign-ups at once: the second finds the address taken by the first. The library says the same where the database
  // couldn't take the person down: then nobody has the address.
  if (answer.status !== 422) return passOn(answer);
  if ((await clearWay(c.env.DB, email)) !== "free") return problem(TAKEN);
  throw new DatabaseError("The account can't be made");
});

accounts.post("/sign-in/email", async (c) => {
  const request = c.req.raw;
  const limited = await limitAddress(c.env, request);
  if (!limited.ok) return problem(limited.error);
  const body = await readJson(request, signIn);
  if (!body.ok) return problem(body.error);
  const { email, password } = body.value;
  const counted = await countSignIn(c.env, request, email, Date.now());
  if (!counted.ok) return problem(counted.error);
  const answer = await accountsFor(request, c.env).api.signInEmail({
    body: { email, password },
    headers: credentialsOf(request),
    asResponse: true,
  });
  if (answer.status === 401) return problem(WRONG);
  if (answer.ok) await forgetSignIns(c.env, request, email);
  return passOn(answer);
});

/** The session ends at once and rooms are told behind it; one that can't be told sees its token lapse within the hour. */
accounts.post("/sign-out", async (c) => {
  const session = await sessionOf(c.req.raw, c.env);
  // Ended here, for the library says that it is done, and takes the cookie, also where the database couldn't ([ED5]).
  if (session.ok) await endSession(c.env.DB, session.value.user.id, session.value.id);
  const answer = await accountsFor(c.req.raw, c.env).api.signOut({
    headers: credentialsOf(c.req.raw),
    asResponse: true,
  });
  const passed = await passOn(answer);
  if (session.ok) {
    c.executionCtx.waitUntil(denyEverywhere(c.env, { sub: session.value.user.id, sid: session.value.id }, Date.now()));
  }
  return passed;
});

accounts.get("/get-session", async (c) => {
  const { headers, response } = await readSession(c.req.raw, c.env);
  if (!response) return json(null, 200, credentialsIn(headers));
  // The token stays out of the body, where a script of the page could read what the cookie keeps from it.
  const { id, userId, createdAt, updatedAt, expiresAt } = response.session;
  return json(
    { session: { id, userId, createdAt, updatedAt, expiresAt }, user: response.user },
    200,
    credentialsIn(headers),
  );
});

/** The library's answer: its body and its credentials, nothing else. What it didn't expect is a bug here. */
async function passOn(answer: Response): Promise<Response> {
  if (!answer.ok) {
    const Fault = answer.status >= 500 ? DatabaseError : Error;
    throw new Fault(`The account library answered ${answer.status}`, { cause: await codeIn(answer) });
  }
  return json(await answer.json(), 200, credentialsIn(answer.headers));
}

async function codeIn(answer: Response): Promise<Error> {
  const body: unknown = await answer.json();
  const code = typeof body === "object" && body !== null && "code" in body ? String(body.code) : "no code";
  return new Error(code);
}
