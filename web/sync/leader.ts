// Which tab leads. Pure: locks, clock and messages arrive as events.
//
//   following ──visible──▶ asking ──no pong within 1 s──▶ stealing    (in sight and left alone: watching, 8 s)
//       │  ▲                  └──pong──▶ following            │
//       └──┼───────────── lock granted ───────────────────────┴──▶ leading ──lost, frozen or left──▶ resting
//          └────────────────────────────────────── returned ────────────────────────────────────────────┘
//
// A tab that leads has written its id into the database before it touches anything; whoever reads another id there has
// stopped leading, whatever it believes.

export type Leader =
  | { readonly name: "following" }
  | { readonly name: "asking" }
  /** In sight, and nobody does anything: it has time. */
  | { readonly name: "watching" }
  | { readonly name: "stealing" }
  | { readonly name: "leading" }
  /** Frozen or on its way out: wants no lock. */
  | { readonly name: "resting" };

export type LeaderEvent =
  | { readonly type: "started" }
  /** Seen by a person, or they did something: a dead leader would be noticed now. */
  | { readonly type: "looked" }
  /** In sight, every now and then: what a dead leader said last must not stand there for good. */
  | { readonly type: "watched" }
  | { readonly type: "ponged" }
  | { readonly type: "waited" }
  | { readonly type: "granted" }
  /** Another tab took the lock, or a transaction found another leader. */
  | { readonly type: "lost" }
  | { readonly type: "frozen" }
  | { readonly type: "returned" };

export type LeaderEffect =
  | { readonly do: "request-lock"; readonly steals: boolean }
  | { readonly do: "release-lock" }
  | { readonly do: "ping" }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "lead" }
  | { readonly do: "stop-leading" };

export interface LeaderStep {
  readonly leader: Leader;
  readonly effects: readonly LeaderEffect[];
}

/** A leader that lives answers within this. */
export const PONG_WITHIN_MS = 1_000;
/** Also one that is busy, and that nobody waits for. */
export const PONG_IN_TIME_MS = 8_000;

const REQUEST: LeaderEffect = { do: "request-lock", steals: false };

export function step(leader: Leader, event: LeaderEvent): LeaderStep {
  switch (event.type) {
    case "started":
      return { leader: { name: "following" }, effects: [REQUEST] };
    case "looked":
      if (leader.name !== "following" && leader.name !== "watching") return stay(leader);
      return { leader: { name: "asking" }, effects: [{ do: "ping" }, { do: "wait", ms: PONG_WITHIN_MS }] };
    case "watched":
      if (leader.name !== "following") return stay(leader);
      return { leader: { name: "watching" }, effects: [{ do: "ping" }, { do: "wait", ms: PONG_IN_TIME_MS }] };
    case "ponged":
      return isAsking(leader) ? stay({ name: "following" }) : stay(leader);
    case "waited":
      if (!isAsking(leader)) return stay(leader);
      return { leader: { name: "stealing" }, effects: [{ do: "request-lock", steals: true }] };
    case "granted":
      if (leader.name === "resting") return { leader, effects: [{ do: "release-lock" }] };
      return { leader: { name: "leading" }, effects: leader.name === "leading" ? [] : [{ do: "lead" }] };
    case "lost":
      if (leader.name !== "leading") return stay(leader);
      return { leader: { name: "following" }, effects: [{ do: "stop-leading" }, { do: "release-lock" }, REQUEST] };
    case "frozen": {
      const stop: LeaderEffect[] = leader.name === "leading" ? [{ do: "stop-leading" }] : [];
      return { leader: { name: "resting" }, effects: [...stop, { do: "release-lock" }] };
    }
    case "returned":
      return leader.name === "resting" ? { leader: { name: "following" }, effects: [REQUEST] } : stay(leader);
  }
}

const isAsking = ({ name }: Leader): boolean => name === "asking" || name === "watching";

function stay(leader: Leader): LeaderStep {
  return { leader, effects: [] };
}
