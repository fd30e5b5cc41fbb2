// How long a room may still take for what it owes: a page that was asked for, or the answer to an op.
import type { DownFrame } from "#protocol/down.ts";
import { isLateForSize, sendingMs } from "./pace.ts";

/**
 * What others say shows that the line comes down, where an answer may have to wait behind it, and not that it goes up:
 * after so many times what an answer may take it is no sign of life any more.
 */
export const UNANSWERED_MAX = 3;

export interface PatienceDeps {
  readonly now: () => number;
  /** How long a small answer may take. */
  readonly answerMs: () => number;
  /** Within which a page is due; null where none is. */
  readonly pageMs: () => number | null;
  /** The size of the op that is to be answered next; null where none is. */
  readonly dueBytes: () => number | null;
  /** Frames are here and not yet taken. */
  readonly isBehind: () => boolean;
}

export interface Patience {
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
  /** A large op was once cut off while it may have been on its way still. */
  let isSlowUp = false;

  const opMs = (): number => deps.answerMs() + (isSlowUp ? sendingMs(deps.dueBytes() ?? 0) : 0);

  return {
    opMs,
    owedMs: () => {
      const pageMs = deps.pageMs();
      const isOpOwed = deps.dueBytes() !== null;
      if (pageMs === null && !isOpOwed) unansweredSince = null;
      else unansweredSince = Math.min(deps.now(), unansweredSince ?? Infinity);
      const isOpDue = isOpOwed && !deps.isBehind();
      if (unansweredSince === null || (pageMs === null && !isOpDue)) return null;
      const ms = Math.max(pageMs ?? 0, isOpDue ? opMs() : 0);
      return Math.max(0, Math.min(ms, unansweredSince + UNANSWERED_MAX * ms - deps.now()));
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
