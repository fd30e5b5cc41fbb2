// What a change waits for whose turn it is, by what is known of the connection. Pure.
import { apartBy } from "../../store/apart.ts";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";

/** @param isRoomAway the device is connected, and not to the room that this is for */
export function queuedBecause(connection: ConnectionSnapshot, isRoomAway = false): string {
  const { queued, roomAway, apart, told } = outboxSays.state;
  if (connection.state === "connecting") return apart.offline;
  if (connection.state === "reconnecting" && connection.isTold === true) return told;
  const by = apartBy(connection);
  if (by !== null) return apart[by];
  return isRoomAway ? roomAway : queued;
}
