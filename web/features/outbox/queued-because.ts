// What a change waits for whose turn it is, by what is known of the connection. Pure.
import { apartBy } from "../../store/apart.ts";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";

export function queuedBecause(connection: ConnectionSnapshot): string {
  const { queued, apart, told } = outboxSays.state;
  if (connection.state === "connecting") return apart.offline;
  if (connection.state === "reconnecting" && connection.isTold === true) return told;
  const by = apartBy(connection);
  return by === null ? queued : apart[by];
}
