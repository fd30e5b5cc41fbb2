// Whether a channel takes what is moved to it.
import type { ChannelRow, ChannelSnapshot } from "../../store/snapshots.ts";

type Row = Pick<ChannelRow, "isJoined" | "isArchived" | "delivery">;

/** @param channel asked for only where the row doesn't say no: it counts its people each time */
export function canTake({ isJoined, isArchived, delivery }: Row, channel: () => ChannelSnapshot): boolean {
  if (!isJoined || isArchived || delivery === "refused") return false;
  const snapshot = channel();
  return snapshot.state === "ready" && snapshot.closed === null;
}
