// What a room's replica still lacks, asked for page by page: changes after the cursor, then what older messages missed,
// and history that somebody scrolls for, or that the filler wants. One pull at a time ([SY1]), the next one sent as soon
// as a page is here: it travels while this one is being stored.
import type { DownFrame } from "#protocol/down.ts";
import type { History } from "#protocol/frames/history.ts";
import type { UpFrame } from "#protocol/up.ts";
import type { RoomRecord } from "../store/schema.ts";
import type { Verdict } from "./catch-up.ts";
import { connectionEnded, PACE_BEGUN, pageCame, pageWithinMs } from "./pace.ts";

export type Place = { readonly before: number } | { readonly around: number };

export interface PagesDeps {
  readonly send: (frame: UpFrame) => void;
  readonly isLive: () => boolean;
  readonly now: () => number;
  /** How long the room may take for any other answer. */
  readonly answerMs: () => number;
  readonly asked: (owedMs: number) => void;
  readonly read: () => Promise<RoomRecord>;
  /** The room greets again on the open socket, as if nothing were held. */
  readonly startOver: () => Promise<void>;
  readonly storeHistory: (page: History, place: Place) => Promise<Verdict>;
  /** A page found room on this device. */
  readonly stored: () => void;
  readonly changed: () => void;
}

export interface RoomPages {
  /** Within which the page that is due on this connection has to come; null where none is. */
  readonly owedMs: () => number | null;
  /** Within which a page comes that is asked for now, or the greeting before it. */
  readonly withinMs: () => number;
  /** How large a page to ask for. */
  readonly bytes: () => number;
  readonly isCaughtUp: () => boolean;
  /** Hello was said. */
  readonly greeting: () => void;
  /** It wasn't answered in its time. */
  readonly ungreeted: () => void;
  /** A page always follows a greeting. */
  readonly greeted: () => void;
  /** A frame is here, of so many characters, to be stored in its turn. */
  readonly arrived: (frame: DownFrame, length: number) => void;
  /** It is stored. @param q which question of ours it answers, if any */
  readonly came: (verdict: Verdict, q: number | undefined) => Promise<void>;
  readonly historyCame: (page: History) => Promise<void>;
  readonly history: (place: Place) => Promise<boolean>;
  readonly left: () => void;
}

/** A room busy enough to outdate a page again and again is asked so often. */
const HISTORY_TRIES = 3;
/** Pages in memory that wait for a disk slower than the line; 1 MiB at most. */
const UNSTORED_MAX = 4;

interface Ask {
  readonly place: Place;
  readonly tries: number;
  readonly done: (isStored: boolean) => void;
  /** Its page is here and not stored yet. */
  isHere: boolean;
}

export function askPages(deps: PagesDeps): RoomPages {
  const asks = new Map<number, Ask>();
  let lastQ = 0;
  let isGreeting = false;
  let isCaughtUp = false;
  let pulling: number | null = null;
  /** The rev up to which a frame told that didn't join. A page asked for before may end below it. */
  let toldOf = 0;
  /** Pages of changes that are here and not stored yet. */
  const unstored = new Set<number>();
  let pace = PACE_BEGUN;
  /** Since when the page is awaited that comes next. Epoch ms. */
  let askedAt = 0;

  const caughtUp = (next: boolean): void => {
    if (next === isCaughtUp) return;
    isCaughtUp = next;
    deps.changed();
  };

  const pull = (since: number): void => {
    // A frame of the connection before may be stored only now; what it lacks the greeting brings.
    if (pulling !== null || !deps.isLive()) return;
    pulling = ++lastQ;
    deps.send({ t: "pull", since, q: pulling, bytes: pace.bytes });
    owed();
  };

  /** What is here isn't owed any more, however long the disk takes over it. */
  const isOwed = (): boolean =>
    isGreeting || (pulling !== null && !unstored.has(pulling)) || [...asks.values()].some(({ isHere }) => !isHere);

  const isDue = (frame: DownFrame): boolean => {
    if (frame.t === "history") return frame.q !== undefined && asks.has(frame.q);
    if (frame.t !== "snapshot" && frame.t !== "changes") return false;
    return isGreeting || (frame.q !== undefined && frame.q === pulling);
  };

  const owed = (): void => {
    askedAt = deps.now();
    deps.asked(pageWithinMs(pace, deps.answerMs()));
  };

  const pullAfter = (cursor: number): void => {
    if (pulling === null) toldOf = 0;
    pull(cursor);
  };

  /** What is due after a page. */
  const follow = (room: RoomRecord, more: boolean): void => {
    const cursor = room.cursor ?? 0;
    const isBehind = more || cursor < toldOf;
    caughtUp(!isBehind && cursor >= room.head);
    if (isBehind) pullAfter(cursor);
    else if (room.second !== null) pull(room.second.cursor);
  };

  const ask = (place: Place, tries: number, done: Ask["done"]): void => {
    if (!deps.isLive()) return done(false);
    const q = ++lastQ;
    asks.set(q, { place, tries, done, isHere: false });
    deps.send({ t: "history", q, ...place, bytes: pace.bytes });
    owed();
  };

  return {
    owedMs: () => (isOwed() ? pageWithinMs(pace, deps.answerMs()) : null),
    withinMs: () => pageWithinMs(pace, deps.answerMs()),
    bytes: () => pace.bytes,
    isCaughtUp: () => isCaughtUp,
    greeting: () => {
      askedAt = deps.now();
    },
    ungreeted: () => {
      pace = connectionEnded(pace, true);
    },
    greeted: () => {
      isGreeting = true;
      pulling = null;
      toldOf = 0;
    },
    arrived: (frame, length) => {
      // Its page may be here before it is stored itself.
      if (frame.t === "welcome") isGreeting = true;
      if (!isDue(frame)) return;
      const at = deps.now();
      pace = pageCame(pace, length, at - askedAt, deps.answerMs());
      askedAt = at;
      isGreeting = false;
      const asked = frame.t === "history" ? asks.get(frame.q ?? 0) : undefined;
      if (asked !== undefined) asked.isHere = true;
      if (frame.t !== "changes" || frame.q === undefined) return;
      const { q, to, more, reset } = frame;
      unstored.add(q);
      // What comes after a reset is known only when it is stored.
      if (!more || reset === true || unstored.size >= UNSTORED_MAX) return;
      pulling = null;
      pull(to);
    },
    came: async (verdict, q) => {
      isGreeting = false;
      if (q !== undefined) unstored.delete(q);
      if (q === pulling) pulling = null;
      switch (verdict.do) {
        case "store":
          deps.stored();
          return follow(verdict.room, verdict.more);
        case "pull":
          toldOf = Math.max(toldOf, verdict.to);
          return pullAfter((await deps.read()).cursor ?? 0);
        case "start-over":
          return deps.startOver();
        case "ignore":
        case "ask-again":
          return follow(await deps.read(), false);
      }
    },
    historyCame: async (page) => {
      const asked = page.q === undefined ? undefined : asks.get(page.q);
      if (asked === undefined || page.q === undefined) return;
      asks.delete(page.q);
      const verdict = await deps.storeHistory(page, asked.place).catch((error: unknown) => {
        // Who asked waits for an answer, and whoever ends the work waits for them.
        asked.done(false);
        throw error;
      });
      if (verdict.do === "ask-again" && asked.tries < HISTORY_TRIES) ask(asked.place, asked.tries + 1, asked.done);
      else asked.done(verdict.do === "store");
    },
    history: (place) => new Promise((done) => ask(place, 1, done)),
    left: () => {
      const isMissed = isOwed() && deps.now() - askedAt >= pageWithinMs(pace, deps.answerMs());
      pace = connectionEnded(pace, isMissed);
      isGreeting = false;
      pulling = null;
      unstored.clear();
      caughtUp(false);
      for (const { done } of asks.values()) done(false);
      asks.clear();
    },
  };
}
