// What people type, as the wire takes it: normalised, then held to its limits.
import * as v from "valibot";
import {
  EMOJI_MAX_CHARS,
  PERSON_NAME_MAX_CHARS,
  PURPOSE_MAX_CHARS,
  STATUS_TEXT_MAX_CHARS,
  TITLE_MAX_CHARS,
  TOPIC_MAX_CHARS,
  WORKSPACE_NAME_MAX_CHARS,
} from "./field-limits.ts";
import { CHANNEL_NAME_MAX_CHARS, TEXT_MAX_CHARS } from "./limits.ts";
import { CHANNEL_NAME, normalise } from "./text.ts";

/** Overrides and isolates that turn a name round, and marks without width. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
/** Not the fillers that are letters by class, nor the empty Braille cell, which is a symbol. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

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
export const statusText = line(STATUS_TEXT_MAX_CHARS);
export const statusEmoji = line(EMOJI_MAX_CHARS);

export const channelName = v.pipe(
  line(CHANNEL_NAME_MAX_CHARS),
  v.check((name) => CHANNEL_NAME.test(name), "may have letters, digits, - and _"),
  v.check((name) => name === name.toLowerCase(), "is lower case"),
);
