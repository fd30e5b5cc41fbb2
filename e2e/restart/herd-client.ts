/**
 * A client of row 20: the app's own links and tokens (endpoint, socket, back-off, heartbeat) with next to nothing behind
 * them, so that one process holds hundreds.
 */
import { uuidv7 } from "uuidv7";
import { readDownFrame, writeFrame } from "#protocol/frame.ts";
import type { Hello } from "#protocol/frames/hello.ts";
import type { ChannelId, DeviceId, MessageId, OpId, UserId } from "#protocol/ids.ts";
import { HELLO_WITHIN_MS, NEWEST_DEFAULT, TOKEN_LIFETIME_S } from "#protocol/limits.ts";
import { roomNameOf, roomPathOf, type RoomRef } from "#protocol/room-name.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import type { Ports } from "../../web/sync/ports.ts";
import { runLink, type RoomLink } from "../../web/sync/room-link.ts";
import { TIMING } from "../../web/sync/timing.ts";
import { createTokens, type Tokens } from "../../web/sync/tokens.ts";
import { countTraffic } from "../../web/sync/traffic.ts";
import { openTransport } from "../../web/sync/transport.ts";
import type { Person, Team } from "../rig/people.ts";

/** A device: the directory and a channel, as the app links them, with tokens of its own. */
export interface Client {
  readonly links: readonly RoomLink[];
  /** For each link when it asked for a socket; ms. */
  readonly asked: readonly (readonly number[])[];
  /** For each link when a socket was open; ms. */
  readonly opened: readonly (readonly number[])[];
  /** How often the endpoint was asked for tokens. */
  readonly calls: () => number;
  readonly isDone: () => boolean;
  /** As if all tokens had lapsed while it was away. */
  readonly lapse: () => void;
  /** Posts, and holds on to it until it is answered. */
  readonly post: (text: string) => void;
}

const timers: Ports["timers"] = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** @param me who that person is */
export function startClient({ workspace, general }: Team, person: Person, me: UserId): Client {
  let calls = 0;
  let ahead = 0;
  const tokens = createTokens(
    {
      fetch: (url, init) => {
        calls += 1;
        return fetch(url, { ...init, headers: { ...init?.headers, ...person.headers() } });
      },
      origin: person.url,
      timers,
      now: () => Date.now() + ahead,
    },
    () => ({ authEndpoint: "/api/rooms/auth", authCredentials: "same-origin" }),
    me,
  );
  const device = uuidv7() as DeviceId;
  const start = (room: RoomRef): ReturnType<typeof startLink> => startLink(room, person.url, tokens, device);
  const directory = start({ party: "workspace", workspace: workspace.id });
  const channel = start({ party: "channel", workspace: workspace.id, channel: general as ChannelId });
  const both = [directory, channel];
  return {
    links: both.map(({ link }) => link),
    asked: both.map(({ asked }) => asked),
    opened: both.map(({ opened }) => opened),
    calls: () => calls,
    isDone: () => both.every(({ isDone }) => isDone()),
    lapse: () => void (ahead += TOKEN_LIFETIME_S * 1_000),
    post: channel.post,
  };
}

function startLink(room: RoomRef, origin: string, tokens: Tokens, device: DeviceId) {
  const url = `${origin.replace(/^http/, "ws")}${roomPathOf(room)}`;
  const asked: number[] = [];
  const opened: number[] = [];
  /** When the link last looked at the clock: after that a process with a thousand of them may stop for a moment. */
  let looked = 0;
  const now = (): number => (looked = Date.now());
  const waiting = new Map<number, Parameters<typeof writeFrame>[0]>();
  const traffic = countTraffic();
  let next = 1;
  /** Where it goes on from: as far as it was told. */
  let cursor: Pick<Hello, "since" | "epoch"> = { since: null };
  let turn: Promise<void> = Promise.resolve();
  const link = runLink({
    ports: { now, random: Math.random, timers },
    name: roomNameOf(room),
    tokens,
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
    traffic,
    inTurn: (work) => {
      turn = turn.then(work);
    },
    hello: async () => {
      const greeting = {
        t: "hello",
        v: PROTOCOL_VERSION,
        token: link.token(),
        device,
        newest: NEWEST_DEFAULT,
      } as const;
      link.send(writeFrame({ ...greeting, ...cursor }));
    },
    received: (text) => {
      const [, to] = /^\{"t":"(?:snapshot|changes)".*?"(?:head|to)":(\d+)/.exec(text) ?? [];
      if (to !== undefined) cursor = { ...cursor, since: Number(to) };
      // Who is there and what others posted is for a replica; reading all of it 500 times over would be the test's own work.
      if (!/^\{"t":"(?:welcome|ack|refuse|error)"/.test(text)) return link.heard();
      const frame = readDownFrame(text);
      if (!frame.ok) return;
      if (frame.value.t === "welcome") {
        cursor = { ...cursor, epoch: frame.value.epoch };
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
    post: (text: string) => {
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
