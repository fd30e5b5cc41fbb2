/**
 * `SERVICE_SECRET=… npm run restored -- <origin of the rooms> channel:W_C`: tells a channel's room that its storage was
 * taken back to an earlier state ([SV4]), again and again until it has heard (docs/ops.md).
 */
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { parseRoomName, roomPathOf, type RoomRef } from "#protocol/room-name.ts";
import { renewed } from "#protocol/service.ts";
import { signCall } from "../party/engine/service-calls.ts";

export interface Telling {
  /** Where the rooms are, without a slash at the end. */
  readonly origin: string;
  readonly room: RoomRef;
  readonly secret: string;
  readonly say: (line: string) => void;
  /** Between two tries. */
  readonly pause: () => Promise<void>;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

const TRIES = 60;
const EVERY_MS = 5_000;
const TIMEOUT_MS = 15_000;
/** What trying again doesn't mend: the secret is another one, or there is no such channel. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 405, 422]);

/** The place up to which messages are left; null where it couldn't be told. */
export async function tellRestored(telling: Telling): Promise<number | null> {
  const { origin, room, secret, say, pause, fetch = globalThis.fetch } = telling;
  const path = `${roomPathOf(room)}/restored`;
  // One for all tries: what was done without an answer isn't done again.
  const body = JSON.stringify({ epoch: randomUUID() });
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      const token = await signCall(secret, { method: "POST", path, body }, Date.now());
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(origin + path, { method: "POST", headers, body, redirect: "manual", signal });
      const told = answer.ok ? v.safeParse(renewed, await answer.json()) : null;
      if (told?.success === true) return told.output.seq;
      say(`The room answered ${answer.status}: ${FINAL.has(answer.status) ? "giving up" : "trying again"}.`);
      if (FINAL.has(answer.status)) return null;
    } catch (error) {
      say(`The room can't be reached (${error instanceof Error ? error.message : String(error)}): trying again.`);
    }
    if (left > 1) await pause();
  }
  return null;
}

const USAGE = "SERVICE_SECRET=… npm run restored -- <origin of the rooms> channel:<workspace>_<channel>";

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [origin = "", name = ""] = positionals;
  const room = parseRoomName(name);
  const secret = process.env["SERVICE_SECRET"] ?? "";
  if (!URL.canParse(origin) || room?.party !== "channel" || secret === "") {
    console.log(USAGE);
    process.exitCode = 2;
    return;
  }
  const left = await tellRestored({
    origin: new URL(origin).origin,
    room,
    secret,
    say: (line) => console.log(line),
    pause: () => new Promise((resolve) => setTimeout(resolve, EVERY_MS)),
  });
  console.log(
    left === null
      ? "Not told. Until it is, what counts as unread in this channel is wrong: run this again."
      : `Told. Messages up to place ${left} are left; everybody comes in anew.`,
  );
  process.exitCode = left === null ? 1 : 0;
}

if (import.meta.main) await main();
