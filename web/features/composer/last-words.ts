// A copy of what a composer holds that is not on disk yet: typed since the last pause, or sent and not yet stored.
// Written at once and without waiting, so that a tab may end at any moment; let go of when the database has it.
//
// Each tab has a place of its own for each composer, and as long as it lives a lock of its name: what lies in a place
// without a lock was left behind (left-words.ts). Each text bears the id of the message it becomes, from its first
// letter on, so that one that was stored after all is known by it and doesn't come back a second time.
import type { ChannelId, MessageId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { COPIED } from "../../store/index-database.ts";
import type { ReplyTarget } from "../../sync/reply-target.ts";
import { here, keep } from "../kept.ts";
import type { Taken } from "./draft.ts";
import type { GrownFrom } from "./draft-sync.ts";

export interface Words extends GrownFrom {
  readonly id: MessageId;
  readonly text: string;
  readonly isSent: boolean;
  /** The message it answers, once it is sent; until then that stands in a place of its own (answered.ts). */
  readonly answers?: ReplyTarget;
  /** Where the message stands that it is an edit of. */
  readonly channel?: ChannelId;
  /** Of an edit too. Missing in those of older builds. */
  readonly workspace?: WorkspaceId;
}

/** Of the last copy (keep-beside.ts) that the browser's own storage knows of. */
export const versionHere = (user: UserId): number => Number(localStorage.getItem(COPIED + user));

/** Before the owner in the name of a place, and before the tab in the name of its lock. */
export const PLACES = "causeway.words.";
export const TAB = crypto.getRandomValues(new Uint32Array(2)).join("");

/** Whose words, and where: in a channel's composer, a message's editor, an op that is mended. Signing out goes by its beginning. */
export const ownerOf = (user: string, place: string): string => `${user}.${place}`;

/** owner → what is not on disk; of this tab */
export const held = new Map<string, readonly Words[]>();
/** What was sent in this tab lately, oldest first; some of it may have come back since. */
export const sent: (readonly [owner: string, words: Pick<Taken, "id" | "text" | "order" | "over">])[] = [];

// Before anything can be typed: who hears of words from a tab that has no lock takes it for one that has ended.
globalThis.navigator?.locks?.request(PLACES + TAB, () => new Promise(() => undefined)).catch(() => undefined);

/** @param owner whose words, and where: another person on this browser must not meet them */
export function holdWords(owner: string, words: Words): void {
  const others = wordsHeld(owner).filter(({ id }) => id !== words.id);
  store(owner, [...others, words]);
}

export function letGo(owner: string, id: MessageId): void {
  keepOnly(owner, (words) => words.id !== id);
}

/**
 * Of what isn't sent: a composer that was left may hear only now that its draft is on disk, and the next one has sent it.
 *
 * @param id null where nothing was written
 * @param text lets go of it only while it says this; whatever it says, where left out
 */
export function letGoOfDraft(owner: string, id: MessageId | null, text?: string): void {
  keepOnly(owner, (words) => words.id !== id || words.isSent || (text ?? words.text) !== words.text);
}

function keepOnly(owner: string, stays: (words: Words) => boolean): void {
  const before = wordsHeld(owner);
  const rest = before.filter(stays);
  if (rest.length < before.length) store(owner, rest);
}

/** In this tab, oldest first. */
export function wordsHeld(owner: string): readonly Words[] {
  return held.get(owner) ?? [];
}

/** The last text that is becoming a message: what is stored as the draft may hold it still. */
export const sending = (owner: string): Words | undefined => wordsHeld(owner).findLast(({ isSent }) => isSent);

export const isSending = (owner: string): boolean => sending(owner) !== undefined;

/** What is corrected while it is being stored → takes that for a composer, where it can't be stored. */
export const corrections = new Map<MessageId, () => string | undefined>();

/** owner → what of the stored draft is becoming a message in another tab; see use-sent-elsewhere.ts */
export const sentElsewhere = new Map<string, readonly string[]>();

export const placeOf = (owner: string): string => `${PLACES}${owner}.${TAB}`;

function store(owner: string, words: readonly Words[]): void {
  const key = placeOf(owner);
  const newValue = words.length === 0 ? null : JSON.stringify(words);
  held.set(owner, words);
  // Where that can't be: the database has it a moment later, as without this copy.
  keep(here, key, newValue);
  // The browser tells the other tabs alone.
  dispatchEvent(new StorageEvent("storage", { key, newValue }));
}
