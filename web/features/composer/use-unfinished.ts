// What this person began on this device and didn't finish, as it changes here or in another tab.
import { useMemo, useSyncExternalStore } from "react";
import { useClient, useView } from "../services.ts";
import { tellHere } from "./left-words.ts";
import { giveUp, readUnfinished, sentAsStored, unfinishedAsStored, type Unfinished } from "./unfinished.ts";

const places = (): Storage => localStorage;

export interface UsedUnfinished {
  readonly texts: readonly Unfinished[];
  readonly giveUp: (text: Unfinished) => void;
}

export function useUnfinished(): UsedUnfinished {
  const user = useUser();
  const stored = useSyncExternalStore(subscribe, () => unfinishedAsStored(places, user));
  const texts = useMemo(() => readUnfinished(stored, user), [stored, user]);
  return {
    texts,
    giveUp: (text) => {
      giveUp(places, text);
      tellHere(text.place);
    },
  };
}

/** What this person sent in whichever tab, and isn't stored yet. */
export function useSent(): readonly Unfinished[] {
  const user = useUser();
  const stored = useSyncExternalStore(subscribe, () => sentAsStored(places, user));
  return useMemo(() => JSON.parse(stored) as readonly Unfinished[], [stored]);
}

function useUser(): string {
  const session = useView(useClient().account.session);
  return session.state === "nobody" ? "" : session.person.user;
}

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
