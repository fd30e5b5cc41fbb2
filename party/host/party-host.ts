// A PartyKit room as the engine's host. Where PartyKit can't help (its alarms know neither id nor other parties) the
// id comes from storage and calls go over HTTP, if the deployment says where.
import type * as Party from "partykit/server";
import { SERVICE_CALL_TIMEOUT_MS } from "#protocol/limits.ts";
import { roomIdOf, roomPathOf, type RoomRef } from "#protocol/room-name.ts";
import { uuidv7 } from "uuidv7";
import { faultOf } from "../engine/config-error.ts";
import type { CallAnswer, Connection, Host } from "../engine/host.ts";
import { signCall } from "../engine/service-calls.ts";
import { readServiceSecret } from "../engine/trust.ts";
import type { Session } from "../engine/session-state.ts";
import { roomStorage } from "./storage.ts";

export function partyHost(room: Party.Room): Host {
  return {
    get id() {
      return idOf(room);
    },
    storage: roomStorage(room.storage),
    connections: (): Iterable<Connection> => room.getConnections<Session>(),
    now: () => Date.now(),
    randomId: () => uuidv7(),
    later: (delayMs, task) => {
      const timer = setTimeout(() => {
        task().catch((error: unknown) => logLine("timer", { error: faultOf(error) }));
      }, delayMs);
      return () => clearTimeout(timer);
    },
    call: (ref, method, action, body) => callRoom(room, ref, method, action, body),
    log: logLine,
  };
}

function idOf(room: Party.Room): string | null {
  try {
    return room.id;
  } catch {
    return null;
  }
}

async function callRoom(
  room: Party.Room,
  ref: RoomRef,
  method: "GET" | "POST",
  action: string,
  value: unknown,
): Promise<CallAnswer> {
  const secret = readServiceSecret(room.env["SERVICE_SECRET"]);
  const body = value === undefined ? "" : JSON.stringify(value);
  const path = `${roomPathOf(ref)}/${action}`;
  const token = await signCall(secret, { method, path, body }, Date.now());
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  // Not AbortSignal.timeout: a timer that nobody can call off keeps the room from hibernating.
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), SERVICE_CALL_TIMEOUT_MS);
  try {
    const init = { method, headers, signal: abort.signal, ...(body === "" ? {} : { body }) };
    const response = await reach(room, ref, `/${action}`, init);
    return { status: response.status, body: await response.json<unknown>() };
  } finally {
    clearTimeout(timer);
  }
}

async function reach(room: Party.Room, ref: RoomRef, path: string, init: RequestInit): Promise<Response> {
  const origin = room.env["ROOMS_ORIGIN"];
  const party = partiesOf(room)?.[ref.party];
  if (party) return party.get(roomIdOf(ref)).fetch(path, init);
  if (typeof origin !== "string" || origin === "") throw new Error("Other rooms can't be reached from here");
  return fetch(`${origin}${roomPathOf(ref)}${path}`, init);
}

function partiesOf(room: Party.Room): Party.Context["parties"] | null {
  try {
    return room.context.parties;
  } catch {
    return null;
  }
}

function logLine(event: string, details: Readonly<Record<string, string | number>>): void {
  // oxlint-disable-next-line no-console -- the one place where rooms write to the log
  console.log(JSON.stringify({ event, ...details }));
}
