// From what people type to what is stored: `@Name` becomes the person's id, the longest name that fits winning. Pure.
import type { UserId } from "#protocol/ids.ts";
import { mentionOf, mentionsIn } from "#protocol/text.ts";

export interface Named {
  readonly user: UserId;
  readonly name: string;
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** Names are compared as they stand, letter case aside; the room never sees a name, so a rename harms nothing. */
export function withMentions(
  typed: string,
  people: readonly Named[],
): { readonly text: string; readonly mentions: UserId[] } {
  if (!typed.includes("@")) return { text: typed, mentions: mentionsIn(typed) };
  const byLength = people
    .filter(({ name }) => name !== "")
    .toSorted((one, other) => other.name.length - one.name.length);
  const lower = typed.toLowerCase();
  let text = "";
  let at = 0;
  while (at < typed.length) {
    const person = typed[at] === "@" && !isWordBefore(typed, at) ? nameAt(lower, at + 1, byLength) : undefined;
    if (person === undefined) {
      text += typed[at];
      at += 1;
    } else {
      text += mentionOf(person.user);
      at += 1 + person.name.length;
    }
  }
  return { text, mentions: mentionsIn(text) };
}

/** `mail@example` names nobody. */
function isWordBefore(typed: string, at: number): boolean {
  return at > 0 && WORD.test(typed[at - 1] ?? "");
}

function nameAt(lower: string, at: number, byLength: readonly Named[]): Named | undefined {
  return byLength.find(({ name }) => {
    if (!lower.startsWith(name.toLowerCase(), at)) return false;
    const next = lower[at + name.length];
    return next === undefined || !WORD.test(next);
  });
}
