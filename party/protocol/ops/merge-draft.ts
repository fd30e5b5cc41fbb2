// What becomes of an unsent text that was written on without knowing all that stands. Rooms and devices agree on it.
import { DRAFT_MAX_CHARS } from "../limits.ts";

/**
 * Nothing written apart is lost: `text` takes the place of what it grew out of, and what stands beside that stays, in
 * lines of its own.
 *
 * @param standing the draft as it is; empty where there is none
 * @param over what stood where `text` was written; undefined where nobody says: then the later one wins
 * @param text empty: what stood there was sent or taken away
 */
export function mergeDraft(standing: string, over: string | undefined, text: string): string {
  if (over === undefined || !standing || standing === over) return text;
  // It stands already, as where its answer was lost: done once more it would add its lines again.
  if (has(text, over) && has(standing, text)) return standing;
  const merged = has(standing, over)
    ? lines(standing)
        .replace(lines(over), () => (text ? lines(text) : "\n"))
        .slice(1, -1)
    : beside(standing, text);
  // Two at the limit don't fit into one: the later one wins. Taking away makes nothing longer.
  return merged.length > Math.max(DRAFT_MAX_CHARS, standing.length) ? text : merged;
}

function beside(standing: string, text: string): string {
  if (!text || has(standing, text)) return standing;
  return has(text, standing) ? text : `${standing}\n${text}`;
}

/** What is left of a draft without those of these texts that stand in it. They may have grown out of one another: longest first. */
export function without(standing: string, texts: readonly string[]): string {
  const grown = texts.toSorted((one, other) => other.length - one.length);
  return grown.reduce((left, text) => (has(left, text) ? mergeDraft(left, text, "") : left), standing);
}

/** Whether `part` stands in `whole` as lines of its own. */
export function has(whole: string, part: string): boolean {
  return part !== "" && lines(whole).includes(lines(part));
}

const lines = (part: string): string => `\n${part}\n`;
