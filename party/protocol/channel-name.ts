// What a form makes of a channel's name, beside what a message is made of: nothing of it is needed to write one.
import { CHANNEL_NAME_MAX_CHARS } from "./limits.ts";
import { CHANNEL_NAME, normalise } from "./text.ts";

/** What a person typed as a channel's name, as near as it can be to a valid one; may be empty. */
export function suggestChannelName(typed: string): string {
  const name = normalise(typed).toLowerCase().replace(/\s+/g, "-");
  return [...name]
    .filter((char) => CHANNEL_NAME.test(char))
    .join("")
    .slice(0, CHANNEL_NAME_MAX_CHARS);
}
