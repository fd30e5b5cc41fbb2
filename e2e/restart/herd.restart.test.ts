/**
 * Row 20 of the fault matrix: 500 clients whose room is killed and started again. Their links are the app's own (token,
 * socket, back-off, heartbeat); a page around each would take more than this machine has.
 */
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as v from "valibot";
import { readDownFrame, writeFrame } from "#protocol/frame.ts";
import type { ChannelId, DeviceId, MessageId, OpId } from "#protocol/ids.ts";
import { HELLO_WITHIN_MS } from "#protocol/limits.ts";
import { roomNameOf, type RoomName } from "#protocol/room-name.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { runLink, type RoomLink } from "../../web/sync/room-link.ts";
import { TIMING } from "../../web/sync/timing.ts";
import { openTransport } from "../../web/sync/transport.ts";
import { authResponse } from "#protocol/http.ts";
import { lineOf } from "../journeys/rooms.ts";
import { makeTeam, type Person, type Team } from "../rig/people.ts";
import { type BuiltWorker, startWorker } from "../rig/worker.ts";

const PEOPLE = 20;
const CLIENTS_EACH = 25;
/** Ten times what is promised: a test tells wrong from right, the bench fast from slow. */
const LIVE_WITHIN_MS = 100_000;
const SECOND_MS = 1_000;

let worker: BuiltWorker;

beforeAll(async () => {
  worker = await startWorker();
});
afterAll(() => worker.stop());

interface Client {
  readonly link: RoomLink;
  /** When it asked for a socket, and when one was open; ms. */
  readonly asked: readonly number[];
  readonly opened: readonly number[];
  readonly isDone: () => boolean;
  /** Posts, and holds on to it until it is answered. */
  readonly post: (text: string) => void;
}

const roomOf = ({ workspace, general }: Team): RoomName =>
  roomNameOf({ party: "channel", workspace: workspace.id, channel: general as ChannelId });

const gapsOf = (times: readonly number[]): number[] => times.slice(1).map((at, before) => at - times[before]!);

/** One token for all of a person's clients, as for the tabs of one browser. */
async function tokenOf(person: Person, room: string): Promise<string> {
  const answer = await person.post("/api/rooms/auth", { room, reason: "connect", v: 1 });
  return v.parse(authResponse, answer).token;
}

function startClient(team: Team, jwt: string): Client {
  const { workspace, general } = team;
  const device = uuidv7() as DeviceId;
  const name = roomOf(team);
  const url = `${worker.url.replace(/^http/, "ws")}/parties/channel/${workspace.id}_${general}`;
  const asked: number[] = [];
  const opened: number[] = [];
  /** When the link last looked at the clock: after that a process with 500 of them may stop for a moment. */
  let looked = 0;
  const now = (): number => (looked = Date.now());
  const waiting = new Map<number, Parameters<typeof writeFrame>[0]>();
  let next = 1;
  let turn: Promise<void> = Promise.resolve();
  const link = runLink({
    ports: {
      now,
      random: Math.random,
      timers: { set: (run, ms) => setTimeout(run, ms), clear: (timer) => clearTimeout(timer as NodeJS.Timeout) },
    },
    name,
    tokens: {
      get: async () => ({ do: "use", token: { jwt, lifeMs: 3_600_000, issuedAt: Date.now() } }),
      forget: () => undefined,
    },
    timing: () => TIMING,
    openTransport: () => {
      const transport = openTransport(url, WebSocket, HELLO_WITHIN_MS);
      const open = (): void => {
        asked.push(looked);
        transport.open();
      };
      const listen: typeof transport.listen = (handlers) =>
        transport.listen({
          ...handlers,
          opened: () => {
            opened.push(Date.now());
            handlers.opened();
          },
        });
      return { ...transport, open, listen };
    },
    isInUse: () => true,
    inTurn: (work) => {
      turn = turn.then(work);
    },
    hello: async () => {
      link.send(writeFrame({ t: "hello", v: PROTOCOL_VERSION, token: link.token(), device, since: null, newest: 1 }));
    },
    received: (text) => {
      // Who is there and what others posted is for a replica; reading all of it 500 times over would be the test's own work.
      if (!/^\{"t":"(?:welcome|ack|refuse|error)"/.test(text)) return link.heard();
      const frame = readDownFrame(text);
      if (!frame.ok) return;
      if (frame.value.t === "welcome") {
        link.welcomed(TIMING.heartbeatAnswerMs);
        for (const op of waiting.values()) link.send(writeFrame(op));
      }
      if (frame.value.t === "ack") waiting.delete(frame.value.n);
      link.heard();
    },
    greetingMs: () => HELLO_WITHIN_MS,
    ungreeted: () => undefined,
    owedMs: () => (waiting.size > 0 ? TIMING.heartbeatAnswerMs : null),
    heard: () => undefined,
    renew: () => undefined,
    closing: () => undefined,
    left: () => undefined,
    refused: (why) => {
      throw new Error(`Refused: ${why.code}: ${why.detail}`);
    },
    standing: () => null,
    askWorkspace: () => undefined,
    changed: () => undefined,
  });
  link.tell("wanted");
  return {
    link,
    asked,
    opened,
    isDone: () => link.is("live") && waiting.size === 0,
    post: (text) => {
      const args = { id: uuidv7() as MessageId, text };
      const op = { t: "op", n: next, id: uuidv7() as OpId, op: "message.post", args, at: Date.now() } as const;
      waiting.set(next, op);
      next += 1;
      if (link.is("live")) {
        link.send(writeFrame(op));
        link.asked(TIMING.heartbeatAnswerMs);
      }
    },
  };
}

test(
  `row 20, a thundering herd: ${PEOPLE * CLIENTS_EACH} clients return at once after a kill; nothing is lost, and nobody knocks twice within a second`,
  { timeout: 3 * LIVE_WITHIN_MS },
  async () => {
    const [first, ...others] = Array.from({ length: PEOPLE }, (_, at) => `Person ${at}`);
    const team = await makeTeam(worker.url, [first!, ...others]);
    const room = roomOf(team);
    const tokens = await Promise.all(team.people.map((person) => tokenOf(person, room)));
    const clients: Client[] = [];
    const areDone = (): number => clients.filter(({ isDone }) => isDone()).length;
    // They come one by one over a morning; it is the return that is a storm.
    for (const jwt of tokens) {
      clients.push(...Array.from({ length: CLIENTS_EACH }, () => startClient(team, jwt)));
      await expect.poll(areDone, { timeout: LIVE_WITHIN_MS }).toBe(clients.length);
    }
    // Each post goes to all 500: a fifth of them writing is storm enough.
    const writers = clients.filter((_, at) => at % 5 === 0);
    for (const [at, client] of writers.entries()) client.post(`Client ${at}, before`);
    await expect.poll(areDone, { timeout: LIVE_WITHIN_MS }).toBe(clients.length);
    for (const [at, client] of writers.entries()) client.post(`Client ${at}, at the kill`);
    const killedAt = Date.now();
    await worker.restart();
    const upAt = Date.now();
    await expect.poll(areDone, { timeout: LIVE_WITHIN_MS }).toBe(clients.length);
    const liveAt = Date.now();

    const texts = await lineOf(team).texts(team.general);
    const written = writers.flatMap((_, at) => [`Client ${at}, before`, `Client ${at}, at the kill`]);
    expect(texts.toSorted()).toEqual(written.toSorted());

    const gaps = clients.flatMap(({ asked, opened }) => [...gapsOf(asked), ...gapsOf(opened)]);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(SECOND_MS);
    const knocks = clients.map(({ asked }) => asked.filter((at) => at >= killedAt).length);
    console.log(
      `${clients.length} live ${((liveAt - upAt) / SECOND_MS).toFixed(1)} s after the room was up, ${((liveAt - killedAt) / SECOND_MS).toFixed(1)} s after the kill; at most ${Math.max(...knocks)} connects a client`,
    );
    for (const { link } of clients) link.close();
  },
);
