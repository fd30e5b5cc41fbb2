// What views need to know of the network; `sync` tells it.
import type { RoomName } from "#protocol/room-name.ts";
import type { ConnectionSnapshot } from "./snapshots.ts";
import type { Source } from "./source.ts";

export interface Liveness extends Source {
  /** Raised by every change. */
  readonly version: () => number;
  /** Whether ops of the room are leaving now. */
  readonly isFlowing: (room: RoomName) => boolean;
  readonly connection: () => ConnectionSnapshot;
  /** Until when all was known to be up to date, epoch ms; null for never on this device. */
  readonly liveAt: () => number | null;
}

/** Where nothing can arrive for now: waiting for it would be for ever. */
export function isApart(connection: ConnectionSnapshot): boolean {
  switch (connection.state) {
    case "offline":
    case "reconnecting":
    case "signed-out":
    case "misconfigured":
    case "refused":
    case "full":
      return true;
    case "live":
    case "catching-up":
    case "connecting":
      return false;
  }
}
