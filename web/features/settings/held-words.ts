// What of the workspace is on this device, and since when nothing of it is missing, in words. Pure.
import type { ChannelReadiness, ReadinessSnapshot } from "../../store/readiness.ts";
import { bytesOf } from "../../ui/bytes.ts";
import { o } from "../../ui/strings-offline.ts";
import { clockOf } from "../../ui/time.ts";
import { longDayOf } from "./days.ts";

const MINUTE_MS = 60_000;

/** Something of it, or all where that is nothing: one may be in channels that are still to come. */
export function isHere({ messageCount, isReady }: ChannelReadiness): boolean {
  return messageCount > 0 || isReady;
}

/** "12 channels, 48,312 messages, 86 MB on this device, complete since 14:32 on 12 March 2023; storage protected." */
export function sentenceOf({ channels, messageCount, heldBytes, completeSince, storage }: ReadinessSnapshot): string {
  if (messageCount === 0) return o.nothing;
  // Before the first message of all there is nothing to be missing.
  const sayOf = channels.every(({ isWhole }) => isWhole) ? longDayOf : sinceOf;
  const held = o.sentence({
    channels: channels.filter(isHere).length,
    messages: messageCount,
    size: bytesOf(Math.max(heldBytes, storage.usedBytes ?? 0)),
    since: completeSince === null ? null : sayOf(completeSince),
  });
  const { isPersistent } = storage;
  const protection = o.protection[isPersistent === null ? "unknown" : isPersistent ? "yes" : "no"];
  return `${held}${protection === null ? "" : `; ${protection}`}.`;
}

/**
 * 14:32 on 12 March 2023: others may be missing of the day that the oldest message held is from, and of its minute.
 *
 * @param oldestAt epoch ms
 */
export function sinceOf(oldestAt: number): string {
  const from = Math.ceil(oldestAt / MINUTE_MS) * MINUTE_MS;
  return o.clockOn(clockOf(from), longDayOf(from));
}
