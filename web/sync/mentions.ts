// From what people type to what is stored and back: `@Name` becomes the person's id, the longest name that fits winning.
// Who shares a name is typed with the end of their id, `@Name#1a2b3c`: of all that a text goes through (drafts, other
// devices, edits) nothing but the text itself says who was meant. Pure.
import type { UserId } from "#protocol/ids.ts";
import { mentionOf, mentionsIn, withNames } from "#protocol/text.ts";

export interface Named {
  readonly user: UserId;
  readonly name: string;
  /** Isn't meant by the name alone. */
  readonly isAway?: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** More than chance would bring together twice under one name. */
const TAG_CHARS = 6;

/** Names are compared as they stand, letter case aside; the room never sees a name, so a rename harms nothing. */
export function withMentions(
  typed: string,
  people: readonly Named[],
): { readonly text: string; readonly mentions: UserId[] } {
  const byLength = people
    .filter(({ name, isAway }) => name !== "" && !isAway)
    .toSorted((one, other) => other.name.length - one.name.length);
  let text = "";
  let at = 0;
  // The last letter of the last name: `@j.doe/@olga` is no web address.
  let from = 0;
  while (at < typed.length) {
    const named =
      typed[at] === "@" && !NAMES_NOBODY.test(typed.slice(from, at))
        ? byLength.find(({ name }) => standsAt(typed, at + 1, name))
        : undefined;
    if (named === undefined) {
      text += typed[at];
      at += 1;
    } else {
      at += 1 + named.name.length;
      // What stands behind the name decides, whatever its person is called by now.
      const meant = people.find(({ user }) => standsAt(typed, at, tagOf(user)));
      if (meant !== undefined) at += tagOf(meant.user).length;
      from = at - 1;
      text += mentionOf((meant ?? named).user);
    }
  }
  return { text, mentions: mentionsIn(text) };
}

/** A stored text as its author types it. */
export function asTyped(text: string, people: readonly Named[]): string {
  return withNames(text, (user) => {
    const name = people.find((person) => person.user === user)?.name;
    if (name === undefined) return undefined;
    const isShared = people.some((other) => other.user !== user && isSame(other.name, name));
    return isShared ? name + tagOf(user) : name;
  });
}

function tagOf(user: UserId): string {
  return `#${user.slice(-TAG_CHARS)}`;
}

/**
 * `mail@example` names nobody, nor does `@name` in a web address, which leads elsewhere with anything else in its place.
 * Looked at from the end of what stands before.
 */
const NAMES_NOBODY = /$(?<=[\p{L}\p{M}\p{N}_]|(?::\/|\w\.\w+)\/\S*)/u;

/** Piece by piece: in lower case a text may be longer, and its places are others. */
function standsAt(typed: string, at: number, part: string): boolean {
  const end = at + part.length;
  return isSame(typed.slice(at, end), part) && !WORD.test(typed[end] ?? "");
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
