// A text with a selection in it, and the name being typed there. Pure: what to do about them is fetched when it is asked
// for (format.ts, mention.ts).

export interface Selected {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Query {
  /** Where its "@" stands. */
  readonly at: number;
  readonly typed: string;
}

/** The mention at the end of what stands before the caret, if there is one: "@" at the start of a word, and what follows it. */
export function mentionBeingTyped(before: string): Query | null {
  const found = /(?:^|[\s([{"'])@([\p{L}\p{M}\p{N}_.-]*(?: [\p{L}\p{M}\p{N}_.-]*)?)$/u.exec(
    before.slice(-QUERY_MAX_CHARS),
  );
  const typed = found?.[1];
  return typed === undefined ? null : { at: before.length - typed.length - 1, typed };
}

/** Longer than any name that is worth completing. */
const QUERY_MAX_CHARS = 64;
