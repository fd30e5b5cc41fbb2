// Who is calling: from the session cookie or a bearer session, never from a body.
import { failure, type Failure } from "#protocol/errors.ts";
import { userId, type UserId } from "#protocol/ids.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import * as v from "valibot";
import { DatabaseError } from "../db/fault.ts";
import type { Env } from "../env.ts";
import { accountsFor } from "./accounts.ts";

export interface Session {
  readonly id: string;
  readonly user: {
    readonly id: UserId;
    readonly name: string;
    readonly email: string;
    readonly avatar: string | null;
  };
  /** Cookies to send along: a session in use is prolonged. */
  readonly headers: Headers;
}

export async function sessionOf(request: Request, env: Env): Promise<Result<Session, Failure>> {
  const { headers, response } = await readSession(request, env);
  if (!response) return failed(failure("unauthenticated"));
  const { session, user } = response;
  const { id, name, email, image } = user;
  return ok({
    id: session.id,
    user: { id: v.parse(userId, id), name, email, avatar: image ?? null },
    headers: credentialsIn(headers),
  });
}

/** What the library keeps of a session. */
interface Stored {
  readonly session: Readonly<Record<"id" | "userId", string> & Record<"createdAt" | "updatedAt" | "expiresAt", Date>>;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly image?: string | null | undefined;
  };
}

/** What the library knows. That it can't tell is not the end of a session ([AU3]). */
export async function readSession(
  request: Request,
  env: Env,
): Promise<{ readonly headers: Headers; readonly response: Stored | null }> {
  const { api } = accountsFor(request, env);
  const asked = { headers: credentialsOf(request), returnHeaders: true } as const;
  try {
    return await api.getSession(asked);
  } catch {
    // Where only its prolonging can't be written it stands all the same, and is prolonged the next time.
    try {
      return await api.getSession({ ...asked, query: { disableRefresh: true } });
    } catch (error) {
      throw new DatabaseError("The session can't be looked up", { cause: error });
    }
  }
}

/** What the library may see of a request: nothing that it could be talked into with. */
export function credentialsOf(request: Request): Headers {
  const headers = new Headers();
  for (const name of ["cookie", "authorization", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/** What the library may say in a response: cookies, and the session's token for those who can't keep cookies. */
export function credentialsIn(answer: Headers): Headers {
  const headers = new Headers();
  for (const cookie of answer.getSetCookie()) headers.append("set-cookie", cookie);
  const token = answer.get("set-auth-token");
  if (token !== null) headers.set("set-auth-token", token);
  return headers;
}
