// What a channel room keeps in its stem, beside its messages.
import type { Access } from "#protocol/entities/channel.ts";
import type { Restored } from "#protocol/frames/welcome.ts";
import type { MessageId, UserId } from "#protocol/ids.ts";
import type { Denial } from "#protocol/service.ts";

export interface ChannelOwn {
  /** The newest place given. */
  readonly seq: number;
  /** The newest place that counts as unread. */
  readonly top: number;
  /** Below it messages are gone ([RV3]). */
  readonly floor: number;
  /** The `createdAt` of the newest message: it never decreases ([RV4]). */
  readonly lastAt: number;
  /** Ids of the messages since the last full page of places, oldest first. */
  readonly places: readonly MessageId[];
  /** Null until the workspace room told it ([RM6]). */
  readonly policy: ChannelPolicy | null;
  readonly deny: readonly Denial[];
  /** What the workspace room isn't known to have heard of yet; null when it has. */
  readonly bump: OwedBump | null;
  /** Missing where its storage was never taken back to an earlier state. */
  readonly restored?: Restored;
}

export interface ChannelPolicy {
  /** The workspace room's rev; with another epoch of it every policy is newer. */
  readonly rev: number;
  readonly epoch: string;
  readonly access: Access;
  readonly name: string;
  readonly deleted: boolean;
  readonly archived: boolean;
  readonly posting: "all" | "admins";
  readonly editWindowMs: number | null;
}

/** State, not events ([SV1]): the receiver passes over the posts it heard of before. */
export interface OwedBump {
  /** Places and authors of the posts owed, oldest first; none when what is owed can wait ([SV2]). */
  readonly posts: readonly (readonly [seq: number, author: UserId])[];
  /** That the room was restored may not have been told, and can't wait. */
  readonly isRestored?: true;
}

export const NEW_CHANNEL: ChannelOwn = {
  seq: 0,
  top: 0,
  floor: 1,
  lastAt: 0,
  places: [],
  policy: null,
  deny: [],
  bump: null,
};
