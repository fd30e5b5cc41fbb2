// What tabs left behind in the composers of channels that one doesn't look at becomes those channels' drafts: so the sidebar
// marks it, also on one's other devices. Else a text that was sent and not stored yet when its tab ended would be nowhere to
// be seen until somebody happened to open that channel. In the channel on screen its composer takes it up.
import { useEffect, useEffectEvent } from "react";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { usePlace } from "../services.ts";
import { ownerOf, PLACES, type Words } from "./last-words.ts";
import { joined, LOCKED_WITHIN_MS, otherPlaces, takeLeftWords } from "./left-words.ts";

/**
 * @param user whose words
 * @param channels of the workspace on screen; those of others wait until one is there
 * @param here the channel on screen
 */
export function useLeftTexts(user: UserId, channels: readonly ChannelId[], here: ChannelId | null): void {
  const { client } = usePlace();
  const all = useEffectEvent(() => channels);
  const isThere = channels.length > 0;

  useEffect(() => {
    if (!isThere) return undefined;
    const begins = `${PLACES}${ownerOf(user, "")}`;
    const listening = new AbortController();
    let waiting = new AbortController();
    const known = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;

    const take = async (channel: ChannelId, words: readonly Words[], signal: AbortSignal): Promise<boolean> => {
      const draft = client.draft(channel).snapshot();
      // In a window that one looks at, the channel may be open, with somebody at its composer.
      if (signal.aborted || document.hidden || draft.state !== "ready") return false;
      const { ok } = await client.commands.setDraft(channel, joined(draft.value, words), undefined, draft.value);
      return ok;
    };
    /** Those of tabs that live are waited for: they may end. */
    const look = (): void => {
      waiting.abort();
      waiting = new AbortController();
      const { signal } = waiting;
      for (const channel of all()) {
        const owner = ownerOf(user, channel);
        const places = otherPlaces(owner);
        for (const place of places) known.add(place);
        if (channel === here || places.length === 0) continue;
        const { isPosted } = client.commands;
        takeLeftWords(
          owner,
          (id) => isPosted(channel, id),
          (words) => take(channel, words, signal),
          signal,
        ).catch(reportError);
      }
    };
    const hear = ({ key, newValue, isTrusted }: StorageEvent): void => {
      if (!isTrusted || newValue === null || key?.startsWith(begins) !== true || known.has(key)) return;
      known.add(key);
      timer ??= setTimeout(() => {
        timer = undefined;
        look();
      }, LOCKED_WITHIN_MS);
    };
    look();
    addEventListener("storage", hear, listening);
    addEventListener("focus", look, listening);
    // Hidden until the tab before it was gone, it took nothing; and the focus may not come with the sight.
    addEventListener("visibilitychange", look, listening);
    return () => {
      listening.abort();
      waiting.abort();
      clearTimeout(timer);
    };
  }, [client, user, isThere, here]);
}
