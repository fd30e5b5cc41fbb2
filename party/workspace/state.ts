// What a workspace room keeps beside its entities: in the stem, and in rows of its own.
import type { Head } from "#protocol/frames/welcome.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { Denial, LineOwed } from "#protocol/service.ts";

export interface WorkspaceOwn {
  /** The channel everybody starts in; null until the workspace was made. */
  readonly general: ChannelId | null;
  readonly deny: readonly Denial[];
}

export const NEW_WORKSPACE: WorkspaceOwn = { general: null, deny: [] };

/** `h:<channel>`: where the channel stands, and read positions that its posts moved. */
export interface HeadRow extends Head {
  /** Of all heads, rising by one with each change of any. */
  readonly counter: number;
  readonly moves: readonly Move[];
}

/** An author's read position, to be moved to their own post ([SV2]); stamped later, many at once. */
export interface Move {
  readonly user: UserId;
  readonly seq: number;
  /** The room's head then: what the person did after it counts more. */
  readonly rev: number;
  /** Of the position moved: when its owner last set it. Missing in rows from before version 9. */
  readonly setRev?: number;
}

/** `o:<channel>`: what the channel's room has confirmed, and what it is yet to hear ([SV1]). */
export interface OwedRow {
  /** The policy's rev that it stands at; null until it was told at all, or when it lost track: send the whole. */
  readonly confirmed: number | null;
  readonly due: Due | null;
}

export interface Due {
  /** The rev of the latest cause: a policy of an older one doesn't settle it. */
  readonly rev: number;
  /** Who came or went since `confirmed`. */
  readonly changed: readonly (readonly [rev: number, user: UserId])[];
  readonly lines: readonly LineOwed[];
  readonly deny: readonly Denial[];
  /** Not sent before, epoch ms: a token issued in the second of a denial would meet it. */
  readonly notBefore: number;
}

export const NOTHING_DUE: Due = { rev: 0, changed: [], lines: [], deny: [], notBefore: 0 };

/** `g:<user>`, and `g:<user>:1` and so on where it would be too large: channels that tokens were given for, and when (epoch ms). */
export type GrantsRow = Readonly<Record<ChannelId, number>>;

/** `x:<user>`: the rev since which the person sees what they see ([RV5]). */
export type SightRow = number;

export const headRow = (channel: ChannelId): string => `h:${channel}`;
export const owedRow = (channel: ChannelId): string => `o:${channel}`;
export const GRANTS_ROWS = "g:";
export const grantsRow = (user: UserId, part: number): string =>
  part === 0 ? GRANTS_ROWS + user : `${GRANTS_ROWS}${user}:${part}`;
/** Whose it is; no id has a colon in it. */
export const grantsOf = (row: string): UserId => row.split(":")[1] as UserId;
export const sightRow = (user: UserId): string => `x:${user}`;
