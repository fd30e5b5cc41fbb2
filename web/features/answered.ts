// Which message the text in a composer answers, on this device alone, and read without waiting, so that what is sent in the
// first moment after a reload is still an answer. What one chose in a tab is that tab's; a tab where nobody chose shows what
// stands beside the draft, which is one for all tabs.
import { useSyncExternalStore } from "react";
import type { ReplyTarget } from "../sync/reply-target.ts";
import { COMPOSER_ID } from "./composer/focus.ts";
import { here, keep, kept } from "./kept.ts";

/** Before the owner in the name of a place. */
export const ANSWERED = "causeway.answered.";

/**
 * Before the owner in the name of the place that lists what ended, by being sent or given up, the last first, one in a
 * line: for a tab that was away when it did, or that comes back with a browser.
 */
export const ENDED = "causeway.ended.";
const ENDED_MAX = 10;

interface Shown {
  readonly to: ReplyTarget | null;
  /** Chosen in this tab. */
  readonly isOwn: boolean;
}

/** owner → what this tab shows and sends; where nothing can be kept, it lives here for as long as the composer is open. */
export const shown = new Map<string, Shown>();
const listeners = new Set<() => void>();

/** The tab's own. */
export const own = (): Storage => sessionStorage;

/** @param owner whose composer, and where: as for its words */
export function answeredIn(owner: string): ReplyTarget | null {
  const known = shown.get(owner);
  if (known !== undefined) return known.to;
  const chosen = kept(own, ANSWERED + owner);
  const isOwn = chosen !== null && !endedIn(owner).includes(chosen);
  const to = isOwn ? chosen : kept(here, ANSWERED + owner);
  shown.set(owner, { to, isOwn });
  return to;
}

export function answer(owner: string, target: ReplyTarget | null): void {
  const before = answeredIn(owner);
  const changed = target ?? before;
  if (changed === null) return;
  shown.set(owner, { to: target, isOwn: target !== null });
  keep(own, ANSWERED + owner, target);
  const ended = endedIn(owner).filter((each) => each !== changed);
  if (target === null) ended.unshift(changed);
  keep(here, ENDED + owner, ended.slice(0, ENDED_MAX).join("\n") || null);
  // What another tab answers by now is that tab's.
  if (target !== null || kept(here, ANSWERED + owner) === before) keep(here, ANSWERED + owner, target);
  tellAll();
}

const tellAll = (): void => listeners.forEach((tell) => tell());

export function useAnswered(owner: string): ReplyTarget | null {
  return useSyncExternalStore(followAnswers, () => answeredIn(owner));
}

export const endedIn = (owner: string): string[] => kept(here, ENDED + owner)?.split("\n") ?? [];

/** Sent or given up in another tab, it goes here too, with the draft; also while another screen is shown here. */
function endedElsewhere({ key, oldValue, newValue }: StorageEvent): void {
  if (key?.startsWith(ANSWERED) !== true || newValue !== null) return;
  const owner = key.slice(ANSWERED.length);
  if (!shown.has(owner) && kept(own, ANSWERED + owner) === oldValue) keep(own, ANSWERED + owner, null);
}

export function followAnswers(tell: () => void): () => void {
  /** Another tab began or ended an answer. */
  const follow = ({ key, oldValue, newValue }: StorageEvent): void => {
    const owner = key?.startsWith(ANSWERED) === true ? key.slice(ANSWERED.length) : null;
    const mine = owner === null ? undefined : shown.get(owner);
    if (owner === null || mine === undefined) return;
    const isEnded = newValue === null && oldValue === mine.to;
    const area = document.activeElement;
    if (document.hasFocus() && area?.id === COMPOSER_ID && (area as HTMLTextAreaElement).value !== "") {
      // What is being typed here stays what it was, like the text itself; also for when the browser is killed.
      if (isEnded) answer(owner, mine.to);
      return;
    }
    if (mine.isOwn) {
      // Sent or given up there, it goes here too, with the draft.
      if (!isEnded) return;
      keep(own, ANSWERED + owner, null);
    }
    shown.delete(owner);
    tellAll();
  };
  listeners.add(tell);
  // For as long as the page lives; once, however often it is asked for.
  addEventListener("storage", endedElsewhere);
  addEventListener("storage", follow);
  return () => {
    listeners.delete(tell);
    removeEventListener("storage", follow);
    shown.clear();
  };
}
