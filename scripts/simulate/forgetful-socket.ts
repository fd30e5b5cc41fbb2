/** A WebSocket for the client that forgets (see forgetful.ts) in channel rooms, and is an ordinary one elsewhere. */
import { readDownFrame, readUpFrame, writeFrame } from "#protocol/frame.ts";
import type { UpFrame } from "#protocol/up.ts";
import { Forgetful, type ForgetfulRoom } from "./forgetful.ts";
import type { Seeded } from "../../web/test/sim/seeded.ts";

/** How long what follows a welcome counts as sent again. */
const AGAIN_WITHIN_MS = 60;

export interface Forgetfulness {
  /** A copy's id → the id it was written under; filled here. */
  readonly originals: Map<string, string>;
  readonly random: Seeded;
}

/** A class for one person: their connections to a room know of each other what a client can't help knowing. */
export function forgetfulSocket({ originals, random }: Forgetfulness): typeof WebSocket {
  const rooms = new Map<string, ForgetfulRoom>();
  const roomAt = (path: string): ForgetfulRoom => {
    const room = rooms.get(path) ?? { sent: new Set(), answered: 0 };
    rooms.set(path, room);
    return room;
  };

  return class ForgetfulSocket extends WebSocket {
    readonly #forgetful: Forgetful | null;

    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      const { pathname } = new URL(address);
      const isChannel = pathname.startsWith("/parties/channel/");
      this.#forgetful = isChannel ? new Forgetful({ room: roomAt(pathname), originals, random }) : null;
    }

    override send(data: Parameters<WebSocket["send"]>[0]): void {
      const frame = this.#forgetful && typeof data === "string" ? readUpFrame(data) : null;
      if (frame?.ok) this.#sendAll(this.#forgetful?.up(frame.value) ?? []);
      else super.send(data);
    }

    /** Node's sockets tell every listener through here. */
    override dispatchEvent(event: Event): boolean {
      const text: unknown = event instanceof MessageEvent ? event.data : null;
      const frame = this.#forgetful && typeof text === "string" ? readDownFrame(text) : null;
      if (!frame?.ok) return super.dispatchEvent(event);
      const changed = this.#forgetful?.down(frame.value) ?? frame.value;
      if (changed.t === "welcome") setTimeout(() => this.#sendAll(this.#forgetful?.release() ?? []), AGAIN_WITHIN_MS);
      return super.dispatchEvent(new MessageEvent("message", { data: writeFrame(changed) }));
    }

    #sendAll(frames: readonly UpFrame[]): void {
      if (this.readyState !== WebSocket.OPEN) return;
      for (const frame of frames) super.send(writeFrame(frame));
    }
  };
}
