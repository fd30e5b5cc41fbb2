import type { MessageId } from "#protocol/ids.ts";
import type { TimelineSnapshot } from "../store/timeline-snapshots.ts";

/** The last message on screen that I may edit. */
export function lastMine(timeline: TimelineSnapshot): MessageId | null {
  if (timeline.state === "loading") return null;
  return timeline.messages.findLast((message) => message.isMine && message.mayEdit && !message.isDeleted)?.id ?? null;
}
