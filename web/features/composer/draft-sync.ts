// What becomes of the text in a composer when the stored draft changes. Pure.
//
// What is written here comes back a moment later; by then more may have been typed, and it must not be taken for the
// word of another tab or device. Nothing that is being typed is ever replaced: what came from elsewhere meanwhile stands
// beside it in the store (merge-draft.ts), and here once nobody types.
import { has, mergeDraft } from "#protocol/ops/merge-draft.ts";

export interface DraftSync {
  /** The stored draft as last heard of; null before the first time. */
  readonly seen: string | null;
  /** What of it is ours: stored from here, or taken over. */
  readonly over: string;
  /** More may stand in the store than what is ours and here. */
  readonly isBeside: boolean;
  /** What was stored from here and hasn't come back yet, oldest first. */
  readonly written: readonly string[];
}

export function wrote(sync: DraftSync, text: string): DraftSync {
  // Nothing changes, so nothing comes back.
  if (sync.written.length === 0 && text === sync.over) return sync;
  return { ...sync, over: text, written: [...sync.written, text] };
}

/** A stored draft without what of it is becoming a message, or has: texts that grew out of one another, so longest first. */
export function without(stored: string, sent: readonly string[]): string {
  const grown = sent.toSorted((one, other) => other.length - one.length);
  return grown.reduce((left, text) => (has(left, text) ? mergeDraft(left, text, "") : left), stored);
}

/** What was written is on disk, and has come back if it changed anything: as it was, or joined to what stood beside it. */
export function kept(sync: DraftSync, text: string): DraftSync {
  return { ...sync, written: sync.written.slice(sync.written.lastIndexOf(text) + 1) };
}

/** @param isTyping somebody is at this composer right now */
export function arrived(
  sync: DraftSync,
  stored: string,
  text: string,
  isTyping: boolean,
): { readonly sync: DraftSync; readonly text: string } {
  if (stored === sync.seen) return { sync, text };
  const at = sync.written.indexOf(stored);
  // Several of ours may come back as one.
  if (at >= 0) return { sync: { ...sync, seen: stored, written: sync.written.slice(at + 1) }, text };
  // What is on its way to the store is of now, whatever stood there before.
  const isOurs = isTyping || text !== sync.over || sync.written.length > 0;
  if (text !== "" && isOurs) return { sync: { ...sync, seen: stored, isBeside: true }, text };
  // What of ours hasn't come back by now is another's word when it does.
  return { sync: { seen: stored, over: stored, isBeside: false, written: [] }, text: stored };
}

/** Nothing was typed here that isn't on disk, or was taken from there since: on another device, where it was sent. */
export const isUntouched = ({ isBeside, over, written }: DraftSync, text: string): boolean =>
  isBeside && text === over && written.length === 0;

/** Whoever has the focus and wrote nothing for so long isn't typing; ms. */
export const RESTS_AFTER_MS = 3_000;

/** What stands here was sent or rewritten elsewhere: sent from here as well, it would be there twice. */
export const isGone = (sync: DraftSync, stored: string, text: string): boolean =>
  isUntouched(sync, text) && !has(stored, text);
