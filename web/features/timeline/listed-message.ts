import type { MessageId } from "#protocol/ids.ts";
import type { TimelineMessage, TimelineSnapshot } from "../../store/timeline-snapshots.ts";

export function listedMessage(timeline: TimelineSnapshot, id: MessageId): TimelineMessage | undefined {
  return timeline.state === "ready" ? timeline.messages.find((message) => message.id === id) : undefined;
}
