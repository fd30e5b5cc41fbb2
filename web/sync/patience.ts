// How long a room may still take for what it owes: a page that was asked for, or the answer to an op.
import type { DownFrame } from "#protocol/down.ts";
import { isWithin } from "./link-steps.ts";
import { isLateForSize, sendingMs } from "./pace.ts";

/** However much comes down that an answer may have to wait behind: after so many times what it may take a line is dead. */
const UNANSWERED_MAX = 3;
/** Whoever looked so lately would have seen the answer, ms. */
const SEEN_WITHIN_MS = 2_000;

/** For an answer to what left then. Epoch ms. */
export interface Wait {
  readonly leftAt: number;
  readonly dueAt: number;
}

export interface Meanwhile {
  /** Epoch ms. */
  readonly at: number;
  /** When anybody last looked: a page may have stood still since, and what came is heard one by one. Epoch ms. */
  readonly seenAt: number;
  /** How long the answer may have had to wait behind what came, ms. */
  readonly behindMs: number;
  /** How long an answer may take, ms. */
  readonly answerMs: number;
}

export function waitOn({ leftAt, dueAt }: Wait, { at, seenAt, behindMs, answerMs }: Meanwhile): Wait {
  const next = Math.min(dueAt + behindMs, leftAt + UNANSWERED_MAX * answerMs);
  if (next < at && !isWithin(at - seenAt, SEEN_WITHIN_MS)) return { leftAt: at, dueAt: at + answerMs };
  // A clock that was turned back says nothing.
  return { leftAt, dueAt: Math.min(next, at + answerMs) };
}

export interface PatienceDeps {
  readonly now: () => number;
  /** How long a small answer may take. */
  readonly answerMs: () => number;
  /** Within which a page is due; null where none is. */
  readonly pageMs: () => number | null;
  /** The size of the op that is to be answered next; null where none is. */
  readonly dueBytes: () => number | null;
  /** What came on the line so far, as `Traffic` counts it. */
  readonly tookMs: () => number;
  /** Frames are here and not yet taken. */
  readonly isBehind: () => boolean;
}

export interface Patience {
  /** Something left that the room must answer. */
  readonly asked: () => void;
  /** Within which an op that leaves now is answered. */
  readonly opMs: () => number;
  /** Within which something must be heard of what is owed; null where nothing is. */
  readonly owedMs: () => number | null;
  readonly came: (frame: DownFrame) => void;
  /** The connection ended. @param isOverdue what was owed hadn't come in its time */
  readonly left: (isOverdue: boolean) => void;
}

export function patienceWith(deps: PatienceDeps): Patience {
  /** Since when something is owed and nothing came that answers anything, epoch ms, and what had come on the line by then. */
  let unanswered: { readonly sinceAt: number; readonly tookMs: number } | null = null;
  let seenAt = 0;
  /** A large op was once cut off while it may have been on its way still. */
  let isSlowUp = false;

  const opMs = (): number => deps.answerMs() + (isSlowUp ? sendingMs(deps.dueBytes() ?? 0) : 0);

  const begin = (): { readonly sinceAt: number; readonly tookMs: number } => {
    unanswered = { sinceAt: deps.now(), tookMs: deps.tookMs() };
    return unanswered;
  };

  return {
    asked: () => {
      if (unanswered !== null) return;
      begin();
      seenAt = deps.now();
    },
    opMs,
    owedMs: () => {
      const [at, seenBefore] = [deps.now(), seenAt];
      seenAt = at;
      const pageMs = deps.pageMs();
      const isOpOwed = deps.dueBytes() !== null;
      if (pageMs === null && !isOpOwed) unanswered = null;
      else unanswered ??= begin();
      const isOpDue = isOpOwed && !deps.isBehind();
      if (unanswered === null || (pageMs === null && !isOpDue)) return null;
      const answerMs = Math.max(pageMs ?? 0, isOpDue ? opMs() : 0);
      const { sinceAt, tookMs } = unanswered;
      const behindMs = deps.tookMs() - tookMs;
      const wait = { leftAt: sinceAt, dueAt: sinceAt + answerMs };
      const { leftAt, dueAt } = waitOn(wait, { at, seenAt: seenBefore, behindMs, answerMs });
      if (leftAt !== sinceAt || sinceAt > at) begin();
      return Math.max(0, dueAt - at);
    },
    came: (frame) => {
      if (isAnswer(frame)) unanswered = null;
    },
    left: (isOverdue) => {
      if (isOverdue && !deps.isBehind() && isLateForSize(deps.dueBytes() ?? 0)) isSlowUp = true;
      unanswered = null;
    },
  };
}

/** To something that went up. */
export function isAnswer(frame: DownFrame): boolean {
  switch (frame.t) {
    case "welcome":
    case "snapshot":
    case "history":
    case "ack":
    case "refuse":
    case "authed":
      return true;
    case "changes":
      return frame.q !== undefined;
    default:
      return false;
  }
}
