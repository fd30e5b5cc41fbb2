// How long a room may still take for what it owes: a page that was asked for, or the answer to an op.
import type { DownFrame } from "#protocol/down.ts";
import { isLateForSize, sendingMs } from "./pace.ts";

/** However much comes down that an answer may have to wait behind: after so many times what it may take a line is dead. */
const UNANSWERED_MAX = 3;

interface Due {
  /** When what is to be answered left, epoch ms. */
  readonly leftAt: number;
  /** When the answer is due, with all that came before it; epoch ms. */
  readonly dueAt: number;
  readonly at: number;
  /** How long an answer may take. */
  readonly answerMs: number;
}

/** How long an answer may still take, ms; of one that is overdue nobody was there to see it, and what came is heard now. */
export function dueMs({ leftAt, dueAt, at, answerMs }: Due): number {
  const ms = dueAt < at ? answerMs : Math.min(dueAt - at, answerMs);
  return Math.max(0, Math.min(ms, leftAt + UNANSWERED_MAX * answerMs - at));
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
  /** Since when something is owed and nothing came that answers anything, epoch ms. */
  let unansweredSince: number | null = null;
  let tookMsThen = 0;
  /** A large op was once cut off while it may have been on its way still. */
  let isSlowUp = false;

  const opMs = (): number => deps.answerMs() + (isSlowUp ? sendingMs(deps.dueBytes() ?? 0) : 0);

  const asked = (): void => {
    if (unansweredSince === null) tookMsThen = deps.tookMs();
    unansweredSince = Math.min(deps.now(), unansweredSince ?? Infinity);
  };

  return {
    asked,
    opMs,
    owedMs: () => {
      const pageMs = deps.pageMs();
      const isOpOwed = deps.dueBytes() !== null;
      if (pageMs === null && !isOpOwed) unansweredSince = null;
      else asked();
      const isOpDue = isOpOwed && !deps.isBehind();
      if (unansweredSince === null || (pageMs === null && !isOpDue)) return null;
      const answerMs = Math.max(pageMs ?? 0, isOpDue ? opMs() : 0);
      const dueAt = unansweredSince + answerMs + deps.tookMs() - tookMsThen;
      return dueMs({ leftAt: unansweredSince, dueAt, at: deps.now(), answerMs });
    },
    came: (frame) => {
      if (isAnswer(frame)) unansweredSince = null;
    },
    left: (isOverdue) => {
      if (isOverdue && !deps.isBehind() && isLateForSize(deps.dueBytes() ?? 0)) isSlowUp = true;
      unansweredSince = null;
    },
  };
}

/** To something that went up. */
function isAnswer(frame: DownFrame): boolean {
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
