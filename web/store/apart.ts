// What keeps a device apart from its rooms, as the connection tells; for whoever says what something waits for. Pure.
import type { ConnectionSnapshot } from "./snapshots.ts";

export type Apart = "offline" | "chosen" | "signed-out" | "misconfigured" | "refused" | "outdated" | "space";

/** Null where nothing does, or that isn't known yet. */
export function apartBy(connection: ConnectionSnapshot): Apart | null {
  switch (connection.state) {
    case "offline":
      return connection.isChosen === true ? "chosen" : "offline";
    case "reconnecting":
      return "offline";
    case "signed-out":
    case "misconfigured":
      return connection.state;
    case "refused":
      return connection.code === "upgrade_required" ? "outdated" : "refused";
    case "full":
      return "space";
    case "live":
    case "catching-up":
    case "connecting":
      return null;
  }
}
