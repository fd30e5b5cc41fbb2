// What screen readers are told of new messages, in English. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  announce: (author: string, text: string) => `${author}: ${text}`,
  landed: (author: string, text: string) => `You are at the message of ${author}: ${text}`,
  landedDeleted: (author: string) => `You are at a message of ${author} that was deleted`,
  unchecked: "Checking what changed while you were away",
  refused: (reason: string) => `Not taken: ${reason}`,
  /** Messages, and what was done to them: reactions, pins. */
  refusedMany: (count: number, reasons: readonly string[]) =>
    `${plural(count, { one: "# change of yours", other: "# changes of yours" })} not taken: ${reasons.join(" ")}`,
  announceMany: (count: number) => plural(count, { one: "# new message", other: "# new messages" }),
};

export const n: typeof english = english;
