// What is said of the connection, in English: it loads with the pill. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  label: "Connection",
  live: "Live",
  catchingUp: (done: number, total: number) => (total > 0 ? `Catching up ${done} of ${total}` : "Catching up"),
  reconnecting: "Reconnecting",
  offline: "Offline",
  waiting: (count: number) => plural(count, { one: "# waiting", other: "# waiting" }),
  signedOut: "Sign in again",
  misconfigured: "Offline: sign-in is misconfigured",
};

export const c: typeof english = english;
