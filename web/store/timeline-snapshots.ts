// The shapes that a channel's timeline and its pins answer with: messages with pending ops applied, ready to be shown.
import type { SystemLine } from "#protocol/entities/message.ts";
import type { MessageId, OpId, UserId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { Delivery, Refusal } from "./snapshots.ts";
import type { View } from "./view.ts";

export interface Reaction {
  readonly emoji: string;
  readonly people: readonly UserId[];
  readonly isMine: boolean;
}

/** The message that a reply answers, in one line. */
export interface Quote {
  readonly id: MessageId;
  readonly author: UserId | null;
  /** Null where the root is not on this device or was deleted. */
  readonly text: string | null;
}

export interface RefusedChange {
  readonly op: OpId;
  readonly refusal: Refusal;
  readonly change: AnyOp["op"];
  /** The person's own words in it. */
  readonly text: string | null;
}

export interface TimelineMessage {
  readonly id: MessageId;
  /** Null until the room has given it a place. */
  readonly seq: number | null;
  readonly author: UserId;
  readonly isMine: boolean;
  /** What it is shown under: the room's time, or the author's until it is delivered. Epoch ms. */
  readonly at: number;
  /** Only where it was written noticeably earlier than delivered. */
  readonly writtenAt?: number;
  readonly text: string;
  readonly isDeleted: boolean;
  readonly isEdited: boolean;
  readonly system?: SystemLine;
  readonly quote?: Quote;
  readonly replyCount: number;
  readonly reactions: readonly Reaction[];
  readonly namesMe: boolean;
  readonly delivery: Delivery;
  /** Set when it, or a change of mine to it, was refused. */
  readonly refused?: RefusedChange;
  /** What another edit of mine said, made elsewhere and not seen by the one that stands; null where it is too long. */
  readonly replaced?: { readonly text: string | null; readonly at: number };
  /** An edit, deletion or reaction of mine is waiting. */
  readonly hasWaitingChange: boolean;
  /** It stands on the channel's list of pins. */
  readonly pinned?: { readonly by: UserId; readonly at: number };
  readonly mayPin: boolean;
  readonly mayEdit: boolean;
  readonly mayDelete: boolean;
  /** The rev it is shown at; the `base` of an edit. */
  readonly rev: number;
}

/** What lies beyond an end of the window. `unreachable`: more in the room, not on this device, and no network. */
export type Beyond = "nothing" | "more" | "loading" | "unreachable";

export type TimelineSnapshot =
  | { readonly state: "loading" }
  | {
      readonly state: "ready";
      /** In order: by place, then what waits, as written. */
      readonly messages: readonly TimelineMessage[];
      readonly older: Beyond;
      readonly newer: Beyond;
      /** My read position when the view was opened, hidden or without a line, and more came: the "New" line stands after it. */
      readonly newSince: number | null;
      /** My read position by now; 0 for none. */
      readonly read: number;
      /** The newest place that counts, wherever the window stands. */
      readonly top: number;
      /** Beyond this place something is missing before what is held. */
      readonly heardTo: number;
      /** Nor can it come for now. */
      readonly isApart: boolean;
      /** Held messages that still have to be compared with the room ([SY4]). */
      readonly isUnchecked: boolean;
      /** A message is being looked for, and this is shown meanwhile. */
      readonly isOnWay: boolean;
    };

/** The channel's pins, the latest pinned first, with what waits applied. */
export interface PinsSnapshot {
  /** The latest first. One whose unpinning waits is still among them, in its place. */
  readonly messages: readonly TimelineMessage[];
  /** Those whose pinning or unpinning nobody else knows of yet. */
  readonly waiting: ReadonlySet<MessageId>;
  /** All of the channel's history is on this device, so these are all of them. */
  readonly isWhole: boolean;
}

/** A window on a channel; it starts at the newest messages. */
export interface Timeline extends View<TimelineSnapshot> {
  /** Grows the window at its older or newer end, from the device and, where it ends there, from the room. */
  readonly loadOlder: () => void;
  readonly loadNewer: () => void;
  /**
   * Moves the window to around a message, as soon as that can be had; false when it never can, or can't be read. Where
   * nothing is shown yet, nothing is till then.
   */
  readonly goTo: (message: MessageId) => Promise<boolean>;
  /** Shows what would be here without that, for as long as it takes. */
  readonly stay: () => void;
  /** Gives up going there: a person reads on where they are. */
  readonly leaveWay: () => void;
  readonly goToNewest: () => void;
  /** For who stands at the newest: lets go of what lies far above, so that a day of listening costs what a minute does. */
  readonly trim: () => void;
  /** Resolves when what the device holds of it was read; fails where its code can't be had. */
  readonly settled: () => Promise<void>;
}
