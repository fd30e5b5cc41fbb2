// The report to hand on: all that the page shows, without the names of channels.
import type { StatusSnapshot } from "../../store/snapshots.ts";
import { reasonOfRoom } from "./room-reason.ts";

export function reportOf(status: StatusSnapshot): string {
  const rooms = status.rooms.map((room) => ({ ...room, label: undefined, detail: reasonOfRoom(room) }));
  const events = status.events.map((event) => ({ ...event, at: new Date(event.at).toISOString() }));
  return JSON.stringify({ ...status, rooms, events }, null, 2);
}
