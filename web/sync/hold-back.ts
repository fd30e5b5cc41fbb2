// Who gives their queue up and signs out: from that press on nothing of it goes, by no tab and no worker, until the session
// has ended, or it turns out that it can't be. A lock says so, for it ends with the tab that took it; whoever sends at that
// moment hears of it by a commit. Where there are no locks what is on its way may still go.
import type { UserId } from "#protocol/ids.ts";
import type { Store } from "../store/store.ts";
import type { Ports } from "./ports.ts";

const HELD_BACK = "causeway.held-back.";

/** @returns lets it go on */
export async function holdBack(
  store: Store,
  { locks, now }: Pick<Ports, "locks" | "now">,
  user: UserId,
): Promise<() => void> {
  const taken = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  if (locks === null) return over.resolve;
  const take = (): Promise<void> => {
    taken.resolve();
    return over.promise;
  };
  locks.request(HELD_BACK + user, take).catch(taken.reject);
  await taken.promise;
  try {
    const bell = { key: "heldBack", at: now() } as const;
    await store.write({ tables: ["meta"], durability: "relaxed" }, async (tx) => tx.put("meta", bell));
  } catch (error) {
    over.resolve();
    throw error;
  }
  return over.resolve;
}

export async function isHeldBack(locks: LockManager | null, user: UserId): Promise<boolean> {
  if (locks === null) return false;
  return locks.request(HELD_BACK + user, { ifAvailable: true, mode: "shared" }, (lock) => lock === null);
}

export interface HoldBack {
  /** Null until that is known. */
  readonly now: () => boolean | null;
  readonly stop: () => void;
}

/** @param changed told whenever it is another than before, and when it is known */
export function watchHoldBack(store: Store, locks: LockManager | null, user: UserId, changed: () => void): HoldBack {
  let isHeld = locks === null ? false : null;
  const stopping = new AbortController();
  const { signal } = stopping;
  const become = (is: boolean): void => {
    if (is === isHeld || signal.aborted) return;
    isHeld = is;
    changed();
  };
  const look = async (): Promise<void> => {
    const is = await isHeldBack(locks, user);
    become(is);
    if (!is) return;
    await locks?.request(HELD_BACK + user, { mode: "shared", signal }, () => undefined);
    become(false);
  };
  // Locks that can't be asked hold nothing.
  const lookAgain = (): void => void look().catch(() => become(false));
  const stopStore = store.listen((commit) => {
    if (commit.some((change) => change.table === "meta" && "put" in change && change.put.key === "heldBack"))
      lookAgain();
  });
  lookAgain();
  return {
    now: () => isHeld,
    stop: () => {
      stopStore();
      stopping.abort();
    },
  };
}
