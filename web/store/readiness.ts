// What of a workspace is on this device, and what is still on its way: counted from the rooms' records, never by reading
// messages. Pure.
import type { ChannelId } from "#protocol/ids.ts";
import { apartBy, type Apart } from "./apart.ts";
import { daysFor, isComplete, isFilled, missedOf, toCome, type Keep, type KeepDays } from "./keep.ts";
import { bytesHeld } from "./sizes.ts";
import type { RoomRecord } from "./schema.ts";
import type { ConnectionSnapshot } from "./snapshots.ts";

export type PauseReason =
  /** No link stands. The tab that leads knows no more; views say what keeps it from standing. */
  | Apart
  /** The device is short of space. */
  | "space"
  /** As much is here as the person allows. */
  | "cap"
  /** Data saver, a metered or a slow line; "fill now" overrides them. */
  | "saving"
  | "metered"
  | "slow"
  /** A room asked to wait, or didn't answer. */
  | "asked-to-wait"
  /** Nobody has looked for a while. */
  | "hidden"
  /** Something else goes first for a moment: what is written, what was missed, whoever scrolls or types. */
  | "busy";

/** What the tab that leads is doing, as all tabs hear it. */
export type FillStatus =
  | { readonly state: "done" }
  | { readonly state: "filling" }
  /** `until`: epoch ms, where it may be over by itself. */
  | { readonly state: "paused"; readonly why: PauseReason; readonly until: number | null };

export interface ChannelReadiness {
  readonly id: ChannelId;
  readonly name: string;
  readonly messageCount: number;
  /** All that is wanted of it is here, up to the newest that is known to be there. */
  readonly isReady: boolean;
  /** When the oldest of its unbroken history up to now was written; null where there is none. Epoch ms. */
  readonly since: number | null;
  /** That reaches back to the channel's beginning. */
  readonly isWhole: boolean;
  /** About how many messages are still to come. */
  readonly toCome: number;
  /** The channel's own setting; undefined where it follows the others. */
  readonly ownDays: KeepDays | undefined;
}

export interface ReadinessSnapshot {
  /** Those one is in, by name. */
  readonly channels: readonly ChannelReadiness[];
  readonly readyCount: number;
  readonly messageCount: number;
  /** About what the messages take. */
  readonly heldBytes: number;
  readonly toCome: number;
  /** From then on nothing is missing in any channel; null where that can't be said yet. Epoch ms. */
  readonly completeSince: number | null;
  readonly filling: FillStatus;
  readonly keep: Pick<Keep, "days" | "maxBytes">;
  readonly storage: {
    readonly usedBytes: number | null;
    readonly quotaBytes: number | null;
    readonly isPersistent: boolean | null;
    readonly kind: "disk" | "memory";
  };
}

export interface ChannelHeld {
  readonly id: ChannelId;
  readonly name: string;
  readonly room: RoomRecord;
  /** The newest place, as the workspace's room says. */
  readonly headSeq: number;
}

type Counted = Omit<ReadinessSnapshot, "filling" | "storage">;

export function countReadiness(channels: readonly ChannelHeld[], keep: Keep, now: number): Counted {
  const rows = channels.map(({ id, name, room, headSeq }): ChannelReadiness => {
    const days = daysFor(keep, room.name);
    const isBehind = missedOf(room, headSeq) > 0;
    return {
      id,
      name,
      messageCount: room.heldCount,
      isReady: isFilled(room, days, now) && !isBehind,
      since: isBehind ? null : (room.oldestAt ?? null),
      isWhole: isComplete(room, headSeq),
      toCome: toCome(room, headSeq, days, now),
      ownDays: keep.rooms[room.name],
    };
  });
  return {
    channels: rows,
    readyCount: rows.filter(({ isReady }) => isReady).length,
    messageCount: rows.reduce((sum, { messageCount }) => sum + messageCount, 0),
    heldBytes: channels.reduce((sum, { room }) => sum + bytesHeld(room), 0),
    toCome: rows.reduce((sum, row) => sum + row.toCome, 0),
    completeSince: completeSince(rows),
    keep: { days: keep.days, maxBytes: keep.maxBytes },
  };
}

/** The channel that reaches back least says it; where all are whole, the first message of all. */
function completeSince(rows: readonly ChannelReadiness[]): number | null {
  const partly = rows.filter(({ isWhole }) => !isWhole);
  if (partly.some(({ since }) => since === null)) return null;
  const bounds = (partly.length > 0 ? partly : rows).flatMap(({ since }) => (since === null ? [] : [since]));
  if (bounds.length === 0) return null;
  return partly.length > 0 ? Math.max(...bounds) : Math.min(...bounds);
}

/** Filling knows only that no link stands; whether one has to do something first, the connection does, and that is said. */
export function fillingBy(fill: FillStatus, connection: ConnectionSnapshot): FillStatus {
  if (fill.state !== "paused") return fill;
  const apart = apartBy(connection);
  const isForPerson = apart !== null && apart !== "offline" && apart !== "space";
  return isForPerson || fill.why === "offline" ? { ...fill, why: apart ?? "offline" } : fill;
}
