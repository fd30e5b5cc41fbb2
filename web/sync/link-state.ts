// What a link to one room can be, what can happen to it, and what it then orders; link.ts has the rules.
import type { ErrorCode } from "#protocol/errors.ts";
import type { AuthDecision } from "./auth.ts";
import type { Wait } from "./patience.ts";

/**
 * Why a link waits: for the network, for room on this device, because it was told to, or for the second since it last
 * opened to be over.
 */
export type Why = "network" | "space" | "told" | "misconfigured" | "pace";

export type LinkState =
  | { readonly name: "off" }
  /** `isOutdated`: somebody signed in since it was asked, so a "no session" is of the time before. */
  | { readonly name: "authorizing"; readonly attempt: number; readonly isOutdated?: true }
  | { readonly name: "opening"; readonly attempt: number }
  /** `dueAt`: when it is given up unless it is answered. */
  | { readonly name: "greeting"; readonly attempt: number; readonly dueAt: number }
  /** `dueAt`: when it is dead unless something was heard; null where nothing is owed. `pings`: those that aren't answered, oldest first. */
  | {
      readonly name: "live";
      readonly heardAt: number;
      readonly dueAt: number | null;
      readonly pings: readonly Wait[];
    }
  | {
      readonly name: "waiting";
      readonly attempt: number;
      readonly until: number;
      readonly why: Why;
      readonly detail?: string;
      /** The token at hand was taken back. */
      readonly needsFresh?: true;
    }
  | { readonly name: "signed-out" }
  | { readonly name: "refused"; readonly code: ErrorCode; readonly detail: string };

/** A try that nothing has answered yet. */
export function isUnderWay({ name }: LinkState): boolean {
  return name === "authorizing" || name === "opening" || name === "greeting";
}

/** Where I stand in a room's channel, as far as this device knows. */
export interface Standing {
  /** Of my membership; 0 where there is none. */
  readonly rev: number;
  /** When the workspace's room, which tells of it, was last heard, with all of it here; epoch ms. Null where it may tell more. */
  readonly heardAt: number | null;
}

export interface Link {
  readonly state: LinkState;
  /** When the room last threw us out over token or frame: the second time within a minute means something else. */
  readonly expelledAt: number | null;
  /** How often the room has called the token taken back since it last welcomed one. */
  readonly denials: number;
  /** When it last ordered a socket to be opened, or that one was open. */
  readonly openedAt: number | null;
  /** When it was last turned away, and the rev of my membership then; null where it asks no more, or was let in since. */
  readonly turnedAway: { readonly rev: number; readonly at: number } | null;
}

/** Each carries the clock it happened at, in epoch ms. */
export type LinkEvent = { readonly at: number } & (
  | { readonly type: "wanted" }
  | { readonly type: "unwanted" }
  | { readonly type: "authorized" }
  | {
      readonly type: "unauthorized";
      readonly decision: Exclude<AuthDecision, { do: "use" }>;
      readonly jitter: number;
      readonly standing?: Standing | null;
    }
  /** `owedMs`: what an answer took too long for before has so long now; missing for what the room gives a hello. */
  | { readonly type: "opened"; readonly owedMs?: number }
  | { readonly type: "welcomed"; readonly owedMs: number }
  /**
   * `owedMs`: within which another answer is due; null for none. `is`: it was the answer to a ping, or to something else.
   * `behindMs`: how long an answer may have waited behind what came since a ping left or something was heard.
   */
  | {
      readonly type: "heard";
      readonly owedMs: number | null;
      readonly is?: "pong" | "answer";
      readonly behindMs: number;
    }
  /** Something left that the room must answer. */
  | { readonly type: "asked"; readonly owedMs: number }
  | {
      readonly type: "closed";
      readonly code: number;
      readonly error?: ErrorCode;
      readonly detail?: string;
      readonly jitter: number;
      /** Where the room is worth asking once more; null where being turned away is no surprise. */
      readonly standing?: Standing | null;
    }
  /** What came finds no room on this device: it must come again. `attempt`: how often that was so, in a row. */
  | { readonly type: "unstored"; readonly attempt: number; readonly jitter: number }
  | { readonly type: "nudged" }
  | { readonly type: "signed-in" }
  | { readonly type: "timed-out"; readonly jitter: number }
);

export type LinkEffect =
  /** `isFresh`: not the one at hand, a room called that bad. */
  | { readonly do: "get-token"; readonly isFresh: boolean }
  | { readonly do: "open-socket" }
  | { readonly do: "say-hello" }
  | { readonly do: "ping" }
  /** Whether the line to the workspace's room stands: there may be word of my membership. */
  | { readonly do: "ask-workspace" }
  | { readonly do: "close-socket" }
  | { readonly do: "set-timer"; readonly ms: number }
  | { readonly do: "stop-timer" };
