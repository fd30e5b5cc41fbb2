// What a room's replica still lacks, asked for page by page: changes after the cursor, then what older messages missed,
// and history that somebody scrolls for, or that the filler wants. One pull at a time ([SY1]), the next one sent as soon
// as a page is here: it travels while this one is being stored.
import type { Changes } from "#protocol/frames/changes.ts";
import type { History } from "#protocol/frames/history.ts";
import type { UpFrame } from "#protocol/up.ts";
import type { RoomRecord } from "../store/schema.ts";
import type { Verdict } from "./catch-up.ts";

export type Place = { readonly before: number } | { readonly around: number };

export interface PagesDeps {
  readonly send: (frame: UpFrame) => void;
  readonly isLive: () => boolean;
  /** A page is owed: one of changes may be long in coming, one of history is short. */
  readonly asked: (what: "changes" | "history") => void;
  readonly read: () => Promise<RoomRecord>;
  /** The room greets again on the open socket, as if nothing were held. */
  readonly startOver: () => Promise<void>;
  readonly storeHistory: (page: History, place: Place) => Promise<Verdict>;
  readonly changed: () => void;
}

export interface RoomPages {
  /** Which pages are due on this connection. */
  readonly owed: () => "changes" | "history" | null;
  readonly isCaughtUp: () => boolean;
  /** A page always follows a greeting. */
  readonly greeted: () => void;
  /** A page is here, to be stored in its turn. */
  readonly arrived: (page: Pick<Changes, "q" | "to" | "more" | "reset">) => void;
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
}

export function askPages(deps: PagesDeps): RoomPages {
  const asks = new Map<number, Ask>();
  let lastQ = 0;
  let isGreeting = false;
  let isCaughtUp = false;
  let pulling: number | null = null;
  /** Pages that are here and not stored yet. */
  const unstored = new Set<number>();

  const caughtUp = (next: boolean): void => {
    if (next === isCaughtUp) return;
    isCaughtUp = next;
    deps.changed();
  };

  const pull = (since: number): void => {
    // A frame of the connection before may be stored only now; what it lacks the greeting brings.
    if (pulling !== null || !deps.isLive()) return;
    pulling = ++lastQ;
    deps.send({ t: "pull", since, q: pulling });
    deps.asked("changes");
  };

  /** What is due after a page. */
  const follow = (room: RoomRecord, more: boolean): void => {
    caughtUp(!more && (room.cursor ?? 0) >= room.head);
    if (more) pull(room.cursor ?? 0);
    else if (room.second !== null) pull(room.second.cursor);
  };

  const ask = (place: Place, tries: number, done: Ask["done"]): void => {
    if (!deps.isLive()) return done(false);
    const q = ++lastQ;
    asks.set(q, { place, tries, done });
    deps.send({ t: "history", q, ...place });
    deps.asked("history");
  };

  return {
    owed: () => (isGreeting || pulling !== null ? "changes" : asks.size > 0 ? "history" : null),
    isCaughtUp: () => isCaughtUp,
    greeted: () => {
      isGreeting = true;
      pulling = null;
    },
    arrived: ({ q, to, more, reset }) => {
      // What comes after a reset is known only when it is stored.
      if (q === undefined || q !== pulling || !more || reset === true) return;
      unstored.add(q);
      if (unstored.size >= UNSTORED_MAX) return;
      pulling = null;
      pull(to);
    },
    came: async (verdict, q) => {
      isGreeting = false;
      if (q !== undefined) unstored.delete(q);
      if (q === pulling) pulling = null;
      switch (verdict.do) {
        case "store":
          return follow(verdict.room, verdict.more);
        case "pull":
          return pull((await deps.read()).cursor ?? 0);
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
      const verdict = await deps.storeHistory(page, asked.place);
      if (verdict.do === "ask-again" && asked.tries < HISTORY_TRIES) ask(asked.place, asked.tries + 1, asked.done);
      else asked.done(verdict.do === "store");
    },
    history: (place) => new Promise((done) => ask(place, 1, done)),
    left: () => {
      isGreeting = false;
      pulling = null;
      unstored.clear();
      caughtUp(false);
      for (const { done } of asks.values()) done(false);
      asks.clear();
    },
  };
}
