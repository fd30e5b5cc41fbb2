// What this person began on this device and didn't finish, as it changes here or in another tab.
import { useMemo, useSyncExternalStore } from "react";
import { useClient, useView } from "../services.ts";
import { tellHere } from "./left-words.ts";
import { giveUp, readUnfinished, unfinishedAsStored, type Unfinished } from "./unfinished.ts";

const places = (): Storage => localStorage;

export interface UsedUnfinished {
  readonly texts: readonly Unfinished[];
  readonly giveUp: (text: Unfinished) => void;
}

export function useUnfinished(): UsedUnfinished {
  const session = useView(useClient().account.session);
  const user = session.state === "nobody" ? "" : session.person.user;
  const stored = useSyncExternalStore(subscribe, () => unfinishedAsStored(places, user));
  const texts = useMemo(() => readUnfinished(stored, user), [stored, user]);
  return {
    texts,
    giveUp: (text) => {
      giveUp(places, user, text);
      tellHere(text.place);
    },
  };
}

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
