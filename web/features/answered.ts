// Which message the text in a composer answers. Kept beside its draft, on this device alone: it is one for all tabs, as
// the draft is, and read without waiting, so that what is sent in the first moment after a reload is still an answer.
import { useSyncExternalStore } from "react";
import type { MessageId } from "#protocol/ids.ts";
import { COMPOSER_ID } from "./composer/focus.ts";

/** Before the owner in the name of a place. */
export const ANSWERED = "causeway.answered.";

/** owner → what this tab shows; where nothing can be kept, it lives here for as long as the composer is open. */
const shown = new Map<string, MessageId | null>();
const listeners = new Set<() => void>();

/** @param owner whose composer, and where: as for its words */
export function answeredIn(owner: string): MessageId | null {
  const known = shown.get(owner);
  if (known !== undefined) return known;
  const kept = keptIn(owner);
  shown.set(owner, kept);
  return kept;
}

export function answer(owner: string, message: MessageId | null): void {
  const before = answeredIn(owner);
  shown.set(owner, message);
  try {
    if (message !== null) localStorage.setItem(ANSWERED + owner, message);
    // What another tab answers by now is that tab's.
    else if (keptIn(owner) === before) localStorage.removeItem(ANSWERED + owner);
  } catch {
    // Blocked or full: it is forgotten with the page.
  }
  for (const tell of listeners) tell();
}

export function useAnswered(owner: string): MessageId | null {
  return useSyncExternalStore(subscribe, () => answeredIn(owner));
}

function keptIn(owner: string): MessageId | null {
  try {
    return localStorage.getItem(ANSWERED + owner) as MessageId | null;
  } catch {
    return null;
  }
}

function subscribe(tell: () => void): () => void {
  /** Another tab began or ended an answer. What is being typed here stays what it was, like the text itself. */
  const follow = (): void => {
    const area = document.activeElement;
    if (document.hasFocus() && area?.id === COMPOSER_ID && (area as HTMLTextAreaElement).value !== "") return;
    shown.clear();
    tell();
  };
  listeners.add(tell);
  addEventListener("storage", follow);
  return () => {
    listeners.delete(tell);
    removeEventListener("storage", follow);
    shown.clear();
  };
}
