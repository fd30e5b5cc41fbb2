// What becomes of the text in a composer when the stored draft changes. Pure.
//
// What is written here comes back a moment later; by then more may have been typed, and it must not be taken for the
// word of another tab or device. Nothing that is being typed is ever replaced: what came from elsewhere meanwhile stands
// beside it in the store (merge-draft.ts), and here once nobody types.
import { has } from "#protocol/ops/merge-draft.ts";

export interface DraftSync {
  /** The stored draft as last heard of; null before the first time. */
  readonly seen: string | null;
  /** What of it is ours and on disk: stored from here, or taken over. One of several, where it isn't known which. */
  readonly over: readonly string[];
  /** More may stand in the store than what is ours and here. */
  readonly isBeside: boolean;
  /** What was given to the disk from here and isn't known to be there, oldest first. */
  readonly written: readonly string[];
}

/** What a text takes the place of, in the stored draft. */
export interface GrownFrom {
  /** What stood there at first. */
  readonly over: string;
  /** What was given to the disk since then, oldest first; one of them may stand there instead. */
  readonly drafts?: readonly string[];
}

/**
 * @param found the stored draft; null where it isn't known yet
 * @param held what stands here, which the composer before this one hadn't got to the disk
 */
export function opened(found: string | null, held: (GrownFrom & { readonly text: string }) | undefined): DraftSync {
  const sync = { seen: found, over: [found ?? ""], isBeside: false, written: [] };
  if (held === undefined) return sync;
  // It may have got there by now.
  return { ...sync, over: [held.over, ...(held.drafts ?? []), held.text], isBeside: true };
}

/** What of the stored draft may be ours, oldest first; whoever stores the next one sees which of it is. */
export const oursIn = ({ over, written }: DraftSync): readonly string[] => [...over, ...written];

export function grownFrom(sync: DraftSync): GrownFrom {
  const [over = "", ...drafts] = oursIn(sync);
  return { over, drafts };
}

/** Once for each time that it comes to its end there, or fails. */
export const wrote = (sync: DraftSync, text: string): DraftSync => ({ ...sync, written: [...sync.written, text] });

/** As far as it is known. */
const isOnDisk = ({ over, written }: DraftSync, text: string): boolean =>
  written.length === 0 && over.length === 1 && over[0] === text;

/** What was written is on disk: as it was, or joined to what stood beside it. */
export function kept(sync: DraftSync, text: string): DraftSync {
  const at = sync.written.indexOf(text);
  return at < 0 ? sync : { ...sync, over: [text], written: sync.written.slice(at + 1) };
}

/** It isn't: the disk has what it had. */
export function failed(sync: DraftSync, text: string): DraftSync {
  const at = sync.written.indexOf(text);
  return { ...sync, written: sync.written.filter((_, place) => place !== at) };
}

/** What came from elsewhere stands here now. */
export const took = (stored: string): DraftSync => ({ seen: stored, over: [stored], isBeside: false, written: [] });

/** @param isTyping somebody is at this composer right now */
export function arrived(
  sync: DraftSync,
  stored: string,
  text: string,
  isTyping: boolean,
): { readonly sync: DraftSync; readonly text: string } {
  if (stored === sync.seen) return { sync, text };
  const next = { ...sync, seen: stored };
  if (oursIn(sync).includes(stored)) return { sync: next, text };
  // What is on its way to the store is of now, whatever stood there before; that it is empty, too.
  if ((isTyping && text !== "") || !isOnDisk(sync, text)) return { sync: { ...next, isBeside: true }, text };
  return { sync: took(stored), text: stored };
}

/** Nothing was typed here that isn't on disk, or was taken from there since: on another device, where it was sent. */
export const isUntouched = (sync: DraftSync, text: string): boolean => sync.isBeside && isOnDisk(sync, text);

/** Whoever has the focus and wrote nothing for so long isn't typing; ms. */
export const RESTS_AFTER_MS = 3_000;

/** What stands here was sent or rewritten elsewhere: sent from here as well, it would be there twice. */
export const isGone = (sync: DraftSync, stored: string, text: string): boolean =>
  isUntouched(sync, text) && !has(stored, text);
