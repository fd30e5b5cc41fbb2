// What people type, made fit to keep: one normalisation, used as they type and again by the room.
import type { ErrorCode, ErrorParams } from "./errors.ts";
import type { UserId } from "./ids.ts";
import { MENTIONS_MAX, TEXT_MAX_CHARS } from "./limits.ts";
import { failed, ok, type Result } from "./result.ts";

/** Control characters other than tab and newline (product, point 5); CR goes with them, so CRLF becomes LF. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
/** A lone half of a pair can't be written as UTF-8, so it would not survive the wire unchanged. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Space, marks without width, fillers and the empty Braille cell: what looks like nothing when there is nothing else. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Empty where nothing of it can be seen. */
export function normalise(typed: string): string {
  const text = typed.replace(CONTROLS, "").replace(LONE_SURROGATES, "\uFFFD").normalize("NFC").trim();
  return UNSEEN.test(text) ? "" : text;
}

/** A row of the error catalogue and what its text is about, for where the catalogue itself isn't at hand. */
export interface Fault {
  readonly code: ErrorCode;
  readonly about: ErrorParams;
}

/**
 * A message as it will be kept, or what is wrong with it: what the schema of `message.post` says, for the browser posts
 * before it has that.
 */
export function readMessage(typed: string, mentions: readonly UserId[]): Result<string, Fault> {
  const text = normalise(typed);
  const { length } = text;
  if (length === 0) return failed({ code: "invalid", about: { field: "text", rule: "is empty" } });
  if (length > TEXT_MAX_CHARS) return failed({ code: "too_long", about: { limit: TEXT_MAX_CHARS, actual: length } });
  const isCrowded = mentions.length > MENTIONS_MAX;
  return isCrowded ? failed({ code: "too_many", about: { field: "mentions", limit: MENTIONS_MAX } }) : ok(text);
}

/** Letters, digits, `-` and `_` of any script, lower case; combining marks belong to letters of many scripts. Nothing
 * that isn't seen, or two channels could look alike. */
export const CHANNEL_NAME = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}_-])+$/u;

/** Between the brackets stands exactly what the schema of a user id lets through. */
const MENTION = /<@([A-Za-z0-9_-]{1,64})>/g;

/** Every issuer's ids are longer; who isn't known and is called by less was written so, `List<@NonNull>`. */
const PERSON_MIN_CHARS = 20;

/** Whether a mention of somebody who isn't known here may be of a person all the same. */
export const mayName = (user: string): boolean => user.length >= PERSON_MIN_CHARS;

/** A person in a message's text: the id stands there, so a rename never points at somebody else. */
export function mentionOf(user: UserId): string {
  return `<@${user}>`;
}

/** The people named in a text, in order, each once. */
export function mentionsIn(text: string): UserId[] {
  return [...new Set([...text.matchAll(MENTION)].map((match) => match[1] as UserId))];
}

/** The text cut at its mentions: text at even places, the ids of the people between them at odd ones. */
export function splitAtMentions(text: string): string[] {
  return text.split(MENTION);
}

/** The text with each mention as `@Name`; `nameOf` answers undefined for who isn't known here. */
export function withNames(text: string, nameOf: (user: UserId) => string | undefined): string {
  return text.replace(MENTION, (whole, user: string) => {
    const name = nameOf(user as UserId);
    return name === undefined ? whole : `@${name}`;
  });
}
