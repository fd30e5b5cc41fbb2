// What isn't delivered yet, of all workspaces of the person who is here: as it changes, or once it is counted.
import { useState } from "react";
import { laterView, LOADING } from "../store/later-view.ts";
import type { Loaded } from "../store/view.ts";
import type { Account } from "../sync/client.ts";
import type { Unsent } from "../sync/unsent.ts";
import { useClient, useView } from "./services.ts";

export function useUnsent(): Loaded<Unsent> {
  const { account } = useClient();
  const [view] = useState(() => laterView<Loaded<Unsent>>(LOADING, account.unsent));
  return useView(view);
}

export interface UnsentTotals {
  /** Changes, whether they go by themselves or were refused. */
  readonly count: number;
  /** Texts that no other device has: drafts, and what is unfinished. */
  readonly textCount: number;
}

export function totalsOf(unsent: Unsent, unfinished: readonly unknown[]): UnsentTotals {
  const { waiting, refused, draftCount, unsyncedDraftCount } = unsent;
  return { count: waiting.size + refused.size, textCount: unfinished.length + draftCount + unsyncedDraftCount };
}

/** Rejects where the code that counts can't be had. */
export async function unsentNow(account: Account): Promise<Unsent> {
  const view = await account.unsent();
  const { promise, resolve } = Promise.withResolvers<Unsent>();
  const look = (): void => {
    const now = view.snapshot();
    if (now.state === "ready") resolve(now.value);
  };
  const stop = view.subscribe(look);
  look();
  return promise.finally(stop);
}
