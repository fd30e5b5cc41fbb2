// Which people and channels are found by a part of their name: case and accents count as little as in search. Pure.
import { fold } from "../sync/search/fold.ts";

export function isPersonFound(name: string, typed: string): boolean {
  return fold(name).includes(fold(typed.trim()));
}

/** A space is what people type for what stands in its place in a channel's name. */
export function isChannelFound(name: string, typed: string): boolean {
  return apart(fold(name)).includes(apart(fold(typed.trim().replace(/^#\s*/, ""))));
}

const apart = (folded: string): string => folded.replace(/[\s_-]+/g, "-");
