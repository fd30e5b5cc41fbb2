// Service calls to rooms (protocol, section 9): signed for one method, path and body, and good for a minute.
// On one host they go through the Durable Object bindings, apart over HTTPS; the request is the same.
import { SignJWT } from "jose";
import * as v from "valibot";
import { failure, rowOf, type Failure } from "#protocol/errors.ts";
import { problem as problemBody } from "#protocol/http.ts";
import { SERVICE_TOKEN_S } from "#protocol/limits.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { roomIdOf, roomPathOf, type RoomRef } from "#protocol/room-name.ts";
import type { ServiceClaims } from "#protocol/service.ts";
import { SERVICE_AUDIENCE } from "#protocol/token.ts";
import { configOf, type Env } from "../env.ts";
import { logRoomFault } from "../http/log.ts";

/** A Durable Object is asked by binding, so the host is only a name; the path is what is signed and routed by. */
const BINDING_ORIGIN = "https://rooms.invalid";
const TIMEOUT_MS = 10_000;

export interface ServiceCall {
  readonly method: "GET" | "POST";
  /** Behind the room's address, with its query: `members`, `about?user=…`. */
  readonly action: string;
  readonly body?: unknown;
}

/**
 * The room's answer, checked; its own refusal with its code; `upstream_unavailable` when it can't be reached, breaks
 * or says something else. Whoever calls again must find the same done once: every call carries state.
 */
export async function callRoom<Schema extends v.GenericSchema>(
  env: Env,
  room: RoomRef,
  call: ServiceCall,
  answer: Schema,
): Promise<Result<v.InferOutput<Schema>, Failure>> {
  const request = await signedRequest(env, room, call);
  const unavailable = (why: string, error?: unknown): Result<never, Failure> => {
    logRoomFault({ party: room.party, action: call.action.split("?", 1)[0] ?? "", why }, error);
    return failed(failure("upstream_unavailable"));
  };
  let status: number;
  let value: unknown;
  try {
    const response = await reach(env, room, request);
    status = response.status;
    value = await response.json();
  } catch (error) {
    // Unreachable, too slow, or not JSON: for the caller all one, to be tried again.
    return unavailable("no answer", error);
  }
  if (status === 200 || status === 201) {
    const parsed = v.safeParse(answer, value);
    return parsed.success ? ok(parsed.output) : unavailable("another answer than agreed");
  }
  const refusal = v.safeParse(problemBody, value);
  if (!refusal.success || status >= 500) return unavailable(`status ${status}`);
  // A room that doesn't take our signature has nothing against the person who is calling.
  if (rowOf(refusal.output.code).http === 401) return unavailable("signature refused");
  const { code, detail, retryAfter } = refusal.output;
  return failed(retryAfter === undefined ? { code, detail } : { code, detail, retryAfter });
}

async function reach(env: Env, room: RoomRef, request: Request): Promise<Response> {
  if (configOf(env).ROOMS_ORIGIN !== "") return fetch(request);
  const rooms = room.party === "workspace" ? env.WORKSPACE : env.CHANNEL;
  return rooms.get(rooms.idFromName(roomIdOf(room))).fetch(request);
}

/** Exported for the tests, which alter it and look on. */
export async function signedRequest(env: Env, room: RoomRef, call: ServiceCall): Promise<Request> {
  const { ROOMS_ORIGIN, SERVICE_SECRET } = configOf(env);
  const url = new URL(`${roomPathOf(room)}/${call.action}`, ROOMS_ORIGIN === "" ? BINDING_ORIGIN : ROOMS_ORIGIN);
  const body = call.body === undefined ? "" : JSON.stringify(call.body);
  const claims: ServiceClaims = { method: call.method, path: url.pathname + url.search, body: await bodyHash(body) };
  const now = Math.floor(Date.now() / 1_000);
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience(SERVICE_AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(now + SERVICE_TOKEN_S)
    .sign(new TextEncoder().encode(SERVICE_SECRET));
  const headers = new Headers({ authorization: `Bearer ${token}` });
  if (body !== "") headers.set("content-type", "application/json");
  return new Request(url, {
    method: call.method,
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === "" ? {} : { body }),
  });
}

async function bodyHash(body: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const binary = String.fromCharCode(...new Uint8Array(hash));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
