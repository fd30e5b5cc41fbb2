// Who hears of what was written: the rooms that it is for, each when its ops may go.
import type { RoomName } from "#protocol/room-name.ts";
import { waits } from "../store/needs.ts";
import { isOpen } from "../store/outbox.ts";
import { heldBackMs } from "../store/outbox-course.ts";
import type { Replica } from "../store/replica.ts";
import type { Ports } from "./ports.ts";

interface OutboxFlow {
  /** Gives word of ops to the rooms they are for, and comes back when the next one that may still be replaced is due. */
  readonly flow: () => void;
  readonly close: () => void;
}

export function startFlow(ports: Ports, replica: Replica, wrote: (room: RoomName) => void): OutboxFlow {
  let timer: unknown = null;

  const flow = (): void => {
    const waiting = waits(replica.outbox());
    const ready = replica.outbox().filter((op) => isOpen(op) && !waiting.has(op.id));
    const now = ports.now();
    for (const room of new Set(ready.filter((op) => heldBackMs(op, now) === 0).map((op) => op.room))) wrote(room);
    const held = ready.map((op) => heldBackMs(op, now)).filter((ms) => ms > 0);
    ports.timers.clear(timer);
    if (held.length > 0) timer = ports.timers.set(flow, Math.min(...held));
  };

  return { flow, close: () => ports.timers.clear(timer) };
}
