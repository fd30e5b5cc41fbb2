import type { MessageId } from "#protocol/ids.ts";
import type { TimelineSnapshot } from "../store/timeline-snapshots.ts";

/** The last message that I may edit; null where the newest aren't in the window: it may be among them. */
export function lastMine(timeline: TimelineSnapshot): MessageId | null {
  if (timeline.state === "loading" || timeline.newer !== "nothing") return null;
  return timeline.messages.findLast((message) => message.isMine && message.mayEdit && !message.isDeleted)?.id ?? null;
}
