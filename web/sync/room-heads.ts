// How far the heads of a workspace's channels are known here. They come page by page behind a greeting, and then one by
// one as bumps: to whoever has all pages of changes, so that those of before come with the last of these.
import type { Signal } from "#protocol/frames/signal.ts";
import type { Heads } from "#protocol/frames/welcome.ts";
import type { UpFrame } from "#protocol/up.ts";
import type { ReplicaStore } from "./replica-store.ts";

export type Bump = Extract<Signal, { kind: "bump" }>;

interface HeadsDeps {
  readonly send: (frame: UpFrame) => void;
  /** How large a page to ask for. */
  readonly bytes: () => number;
  readonly replica: Pick<ReplicaStore, "bumped">;
  /** Whether pages of them are still to come is another than it was. */
  readonly changed: () => void;
}

export interface RoomHeads {
  /** What asks for changes asks for the heads of meanwhile too. */
  readonly asking: (frame: UpFrame) => UpFrame;
  /**
   * A page of them is stored.
   * @param q the page of changes that it came with
   */
  readonly came: (page: Heads, q?: number) => void;
  /** Stores what is new in one channel. */
  readonly bumped: (bump: Bump) => Promise<void>;
  /** Pages of them are still to come: what is unread isn't all known. */
  readonly isBehind: () => boolean;
}

export function followHeads({ send, bytes, replica, changed }: HeadsDeps): RoomHeads {
  /** The counter up to which all are stored. Null in a channel's room, which has none. */
  let known: number | null = null;
  /** None is owed beyond that: what comes next is the next. */
  let isAll = false;
  let isBehind = false;

  return {
    asking: (frame) => (frame.t === "pull" && known !== null ? { ...frame, heads: known } : frame),
    came: ({ counter, more }, q) => {
      // Where pages of them are owed already, the next is asked for by one of those.
      const isAsked = q !== undefined && !isAll;
      [known, isAll] = [counter, !more];
      if (more && !isAsked) send({ t: "pull", heads: counter, bytes: bytes() });
      if (more === isBehind) return;
      isBehind = more;
      changed();
    },
    bumped: async (bump) => {
      const next = isAll ? Math.max(known ?? 0, bump.counter) : (known ?? 0);
      const wasAll = isAll;
      // One that can't be stored is missing, whatever comes behind it.
      isAll = false;
      await replica.bumped(bump.channel, bump, next);
      [known, isAll] = [next, wasAll];
    },
    isBehind: () => isBehind,
  };
}
