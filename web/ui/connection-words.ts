// What the state of the connection is called, wherever it is named. It knows the states, not where they come from.
import { c } from "./strings-connection.ts";

/** The part of a connection that has words of its own. */
export type Connection =
  | { readonly state: "live" | "connecting" | "full" | "reconnecting" | "signed-out" }
  | { readonly state: "offline"; readonly isChosen?: true }
  | { readonly state: "catching-up"; readonly done: number; readonly total: number }
  | { readonly state: "misconfigured"; readonly detail: string }
  | { readonly state: "refused"; readonly code: string; readonly detail: string };

/** The same where there is little room: what it is, without why. */
export function connectionWordsBriefly(connection: Connection): string {
  if (connection.state === "full" || isOutdated(connection)) return c.paused;
  const isOff = ["offline", "misconfigured", "refused"].includes(connection.state);
  return isOff ? c.offline : connectionWords(connection);
}

export function connectionWords(connection: Connection): string {
  switch (connection.state) {
    case "live":
      return c.live;
    case "catching-up":
      return c.catchingUp(connection.done, connection.total);
    case "connecting":
    case "reconnecting":
      return c.reconnecting;
    case "full":
      return c.outOfSpace;
    case "offline":
      return connection.isChosen === true ? c.offlineChosen : c.offline;
    case "signed-out":
      return c.signedOut;
    case "misconfigured":
      return c.misconfigured;
    case "refused":
      return isOutdated(connection) ? c.outdated : c.refused;
  }
}

/** The line is good, and this build too old for it. */
function isOutdated(connection: Connection): boolean {
  return connection.state === "refused" && connection.code === "upgrade_required";
}
