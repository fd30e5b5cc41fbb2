// What is said of the connection, in English: it loads with the pill. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  label: "Connection",
  live: "Live",
  catchingUp: (done: number, total: number) => (total > 0 ? `Catching up ${done} of ${total}` : "Catching up"),
  reconnecting: "Reconnecting",
  outOfSpace: "Paused: this device is full",
  paused: "Paused",
  outdated: "Paused until you reload",
  offline: "Offline",
  offlineChosen: "Offline: you chose to work offline",
  waiting: (count: number) => plural(count, { one: "# waiting", other: "# waiting" }),
  signedOut: "Sign in again",
  misconfigured: "Offline: sign-in is misconfigured",
  refused: "Offline: not let in",
  asOf: (time: string) => `Up to date as of ${time}`,
  tryNow: "Try now",
  /** Only the ticking part, beside "Try now". */
  seconds: (left: number) => `${left} s`,
  nextTry: (left: number) => plural(left, { one: "Next try in # second", other: "Next try in # seconds" }),
  trying: "Trying now",
};

export const c: typeof english = english;
