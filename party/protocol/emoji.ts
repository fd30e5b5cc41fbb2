// One emoji of the current Unicode set, as the platform's own tables know it.
import * as v from "valibot";
import { EMOJI_MAX_CHARS } from "./field-limits.ts";

/**
 * Emoji by their construction (UTS 51, ED-17, possible emoji) rather than by a list: a list shipped here would age, and
 * a room must take what a newer phone sends. Digits, `#` and `*` count only as keycaps.
 */
const ELEMENT = String.raw`(?:\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3|(?![0-9#*])\p{Emoji}(?:\p{EMod}|\uFE0F)?(?:[\u{E0020}-\u{E007E}]+\u{E007F})?)`;
const EMOJI = new RegExp(String.raw`^${ELEMENT}(?:\u200D${ELEMENT})*$`, "u");
/** Text by default (©, ™, ↔): they are emoji only with the variation selector. */
const PRESENTED = /\p{Emoji_Presentation}|\uFE0F|\u20E3|\p{Regional_Indicator}/u;

export function isEmoji(text: string): boolean {
  return text.length <= EMOJI_MAX_CHARS && EMOJI.test(text) && PRESENTED.test(text);
}

export const emoji = v.pipe(
  v.string(),
  v.maxLength(EMOJI_MAX_CHARS),
  v.check((text) => isEmoji(text), "is one emoji"),
);
