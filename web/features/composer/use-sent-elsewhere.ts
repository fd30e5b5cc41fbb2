// A draft that another tab of this browser is sending is none here: Enter on it would post it twice while the disk takes
// its time there. It stands here again when that tab couldn't store it, or has ended: what it held comes back then.
import { useEffect } from "react";
import type { UserId } from "#protocol/ids.ts";
import { ownerOf, PLACES, sentElsewhere } from "./last-words.ts";
import { otherPlaces, tabOf, tellHere, wordsIn } from "./left-words.ts";

/** @param user whose drafts */
export function useSentElsewhere(user: UserId): void {
  useEffect(() => hearOfSent(user), [user]);
}

/** Answers how to stop it. */
function hearOfSent(user: UserId): () => void {
  /** Places whose tab has ended; null while it lives. */
  const ended = new Map<string, true | null>();
  const listening = new AbortController();
  const { signal } = listening;

  const look = (): void => {
    const sent = new Map<string, string[]>();
    for (const place of otherPlaces(user)) {
      const words = wordsIn(localStorage.getItem(place)).filter(({ isSent }) => isSent);
      if (words.length === 0 || ended.get(place) === true) continue;
      const owner = place.slice(PLACES.length, place.lastIndexOf("."));
      const texts = words.flatMap(({ text, over, drafts = [] }) => [text, over, ...drafts]);
      sent.set(owner, [...(sent.get(owner) ?? []), ...texts]);
      outlive(place);
    }
    become(sent);
  };

  const outlive = (place: string): void => {
    if (ended.has(place)) return;
    ended.set(place, null);
    const end = (): void => {
      ended.set(place, true);
      look();
    };
    // A tab has it until it is gone.
    navigator.locks.request(PLACES + tabOf(place), { mode: "shared", signal }, end).catch((error: unknown) => {
      if (!signal.aborted) reportError(error);
    });
  };

  // Without locks nothing tells when a tab has ended.
  if ("locks" in navigator) {
    const begins = PLACES + ownerOf(user, "");
    const hear = ({ key, isTrusted }: StorageEvent): void => {
      if (key === null || (isTrusted && key.startsWith(begins))) look();
    };
    look();
    // Before the composers hear of it, and then look here.
    addEventListener("storage", hear, { capture: true, signal });
    // One that was frozen has heard nothing.
    addEventListener("focus", look, { signal });
  }
  return () => {
    listening.abort();
    become(new Map());
  };
}

/** @param sent owner → texts that may stand in the stored draft, and are being sent */
function become(sent: ReadonlyMap<string, readonly string[]>): void {
  for (const owner of new Set([...sentElsewhere.keys(), ...sent.keys()])) {
    const texts = sent.get(owner);
    if (JSON.stringify(sentElsewhere.get(owner)) === JSON.stringify(texts)) continue;
    if (texts === undefined) sentElsewhere.delete(owner);
    else sentElsewhere.set(owner, texts);
    tellHere(PLACES + ownerOf(owner, ""));
  }
}
