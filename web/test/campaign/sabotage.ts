// What a broken client or room would do. Each is one mechanism taken away; the verdict must see that it is gone.
import type { Ack } from "#protocol/frames/answer.ts";
import type { DownFrame } from "#protocol/down.ts";
import type { UpFrame } from "#protocol/up.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { Way } from "./line.ts";
import type { SimSocket } from "./socket.ts";
import type { World } from "./world.ts";

export interface Passing {
  readonly way: Way;
  readonly room: RoomName;
  readonly text: string;
  readonly socket: SimSocket;
  readonly device: string;
  readonly world: World;
}

export interface Sabotage {
  readonly name: string;
  /** The frame that passes in its place; null for none. */
  readonly frame?: (passing: Passing) => string | null;
  /** Rooms answer before they have written. */
  readonly roomsLieMs?: number;
}

export const HONEST: Sabotage = { name: "none" };

/** Down a socket as if the room had said it. */
function answer({ socket }: Passing, frame: DownFrame): void {
  queueMicrotask(() => socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) })));
}

/** No numbers and no ids: every sending of a text is a new one to the room, each connection a new device. */
function forgetsNumbers(): Sabotage {
  const counts = new WeakMap<SimSocket, number>();
  return {
    name: "no numbers, no ids",
    frame: (passing) => {
      const { way, text, socket, world } = passing;
      if (way !== "up" || !text.startsWith("{")) return text;
      const frame = JSON.parse(text) as UpFrame;
      if (frame.t === "hello") return JSON.stringify({ ...frame, device: world.newId() });
      if (frame.t !== "op") return text;
      const n = (counts.get(socket) ?? 0) + 1;
      counts.set(socket, n);
      const args = frame.op === "message.post" ? { ...(frame.args as object), id: world.newId() } : frame.args;
      return JSON.stringify({ ...frame, n, id: world.newId(), args });
    },
  };
}

/** What was sent once is taken for delivered. */
function neverResends(): Sabotage {
  const sent = new Map<string, SimSocket>();
  return {
    name: "no resending",
    frame: (passing) => {
      const { way, text, socket, device } = passing;
      if (way !== "up" || !text.startsWith('{"t":"op"')) return text;
      const frame = JSON.parse(text) as UpFrame & { readonly t: "op" };
      const name = `${device} ${frame.id}`;
      const before = sent.get(name);
      sent.set(name, before ?? socket);
      if (before === undefined || before === socket) return text;
      const ack: Ack = { t: "ack", n: frame.n, rev: null, entities: [] };
      answer(passing, ack);
      return null;
    },
  };
}

/** A rule about frames that come down, taken away by what it is told. */
function told(name: string, t: DownFrame["t"], change: (frame: never) => object): Sabotage {
  return {
    name,
    frame: ({ way, text }) => {
      if (way !== "down" || !text.startsWith(`{"t":"${t}"`)) return text;
      const frame = JSON.parse(text) as never;
      return JSON.stringify({ ...(frame as object), ...change(frame) });
    },
  };
}

export const CONTROLS: Readonly<Record<string, () => Sabotage>> = {
  "no-numbers": forgetsNumbers,
  "no-resend": neverResends,
  // [SY1]: what joins on is taken, and only that.
  "gaps-passed-over": () => told("gaps are passed over", "changes", () => ({ from: 0 })),
  // [RV6]: the answer comes before the write.
  "ack-before-write": () => ({ name: "rooms answer before they write", roomsLieMs: 400 }),
};
