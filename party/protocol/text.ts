// What people type, made fit to keep: one normalisation, used as they type and again by the room.
import * as v from "valibot";
import type { UserId } from "./ids.ts";
import {
  CHANNEL_NAME_MAX_CHARS,
  PERSON_NAME_MAX_CHARS,
  PURPOSE_MAX_CHARS,
  TEXT_MAX_CHARS,
  TITLE_MAX_CHARS,
  TOPIC_MAX_CHARS,
  WORKSPACE_NAME_MAX_CHARS,
} from "./limits.ts";

/** Control characters other than tab and newline (product, point 5); CR goes with them, so CRLF becomes LF. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
/** A lone half of a pair can't be written as UTF-8, so it would not survive the wire unchanged. */
const LONE_SURROGATES = /\p{Surrogate}/gu;
/** Overrides and isolates that turn a name round, and marks without width. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export function normalise(text: string): string {
  return text.replace(CONTROLS, "").replace(LONE_SURROGATES, "\uFFFD").normalize("NFC").trim();
}

const line = (max: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => normalise(text).replace(/[\t\n]+/g, " ")),
    v.maxLength(max),
  );

const nameOf = (max: number) =>
  v.pipe(
    line(max),
    v.check((name) => VISIBLE.test(name), "needs a visible character"),
    v.check((name) => !BIDI_CONTROLS.test(name), "has marks that turn text round"),
  );

export const messageText = v.pipe(v.string(), v.transform(normalise), v.maxLength(TEXT_MAX_CHARS));
export const personName = nameOf(PERSON_NAME_MAX_CHARS);
export const workspaceName = nameOf(WORKSPACE_NAME_MAX_CHARS);
export const topic = line(TOPIC_MAX_CHARS);
export const purpose = line(PURPOSE_MAX_CHARS);
export const title = line(TITLE_MAX_CHARS);

/** Letters, digits, `-` and `_` of any script, lower case; combining marks belong to letters of many scripts. */
const CHANNEL_NAME = /^[\p{L}\p{M}\p{N}_-]+$/u;

export const channelName = v.pipe(
  line(CHANNEL_NAME_MAX_CHARS),
  v.check((name) => CHANNEL_NAME.test(name), "may have letters, digits, - and _"),
  v.check((name) => name === name.toLowerCase(), "is lower case"),
);

/** What a person typed as a channel's name, as near as it can be to a valid one; may be empty. */
export function suggestChannelName(typed: string): string {
  const name = normalise(typed).toLowerCase().replace(/\s+/g, "-");
  return [...name]
    .filter((char) => CHANNEL_NAME.test(char))
    .join("")
    .slice(0, CHANNEL_NAME_MAX_CHARS);
}

/** Between the brackets stands exactly what the schema of a user id lets through. */
const MENTION = /<@([A-Za-z0-9_-]{1,64})>/g;

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
