// What delivering before one signs out waits for, and whether that comes by itself. Pure.
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { s } from "../../ui/strings-more.ts";

/** Null where it is under way. */
export function deliveryWaitsFor(connection: ConnectionSnapshot): string | null {
  const { waitsFor } = s.signOut;
  switch (connection.state) {
    case "live":
    case "catching-up":
      return null;
    case "connecting":
    case "reconnecting":
      return waitsFor.link;
    case "full":
      return waitsFor.space;
    case "offline":
      return connection.isChosen === true ? waitsFor.choice : waitsFor.network;
    case "signed-out":
      return waitsFor.session;
    case "misconfigured":
      return waitsFor.server;
    case "refused":
      return waitsFor.access(connection.detail);
  }
}
