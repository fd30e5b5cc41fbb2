// Who signs out: from that press on nothing of their queue goes, by no tab and no worker, until the session has ended, or it
// turns out that it can't be. A lock says so, for it ends with the tab that took it; whoever sends at that moment hears of
// it by a commit. What was asked for is stored beside it: where that tab ends before it has heard the answer, what was given
// up still goes nowhere. Without locks nobody knows whether it has, and what is on its way may go.
import type { UserId } from "#protocol/ids.ts";
import { dropGivenUp, LEAVING_TABLES, putLeaving, readLeaving, removeLeaving, type Leaving } from "../store/leaving.ts";
import type { Change, Store } from "../store/store.ts";
import type { Ports } from "./ports.ts";

const HELD_BACK = "causeway.held-back.";

/** What a tab asked of the edge before it ended has come there by then; later, the session ends and what waits stays. */
const ARRIVES_WITHIN_MS = 15_000;

/** Who hears meanwhile that the session has ended isn't told of it before. */
const LEAVES_WITHIN_MS = 5_000;

type Locks = LockManager | null;

/**
 * It goes on when that is over.
 *
 * @param calledOff ends the wait for another tab
 * @returns whether it is held back: not where another tab is at it, for long; null where that can't be known, for there are
 * no locks, they can't be asked, or whoever was about to send hangs in a disk: that keeps nobody here
 */
export async function holdBack(
  { locks, timers }: Pick<Ports, "locks" | "timers">,
  user: UserId,
  over: AbortSignal,
  calledOff?: AbortSignal,
): Promise<boolean | null> {
  if (locks === null || calledOff?.aborted === true) return null;
  const name = HELD_BACK + user;
  const waiting = new AbortController();
  const { signal } = waiting;
  const timer = timers.set(() => waiting.abort(), LEAVES_WITHIN_MS);
  calledOff?.addEventListener("abort", () => waiting.abort(), { once: true });
  return new Promise((answer) => {
    const hold = (): Promise<void> => {
      timers.clear(timer);
      answer(true);
      return new Promise((goOn) => over.addEventListener("abort", () => goOn()));
    };
    const isAnothers = async (): Promise<boolean> =>
      ((await locks.query()).held ?? []).some((lock) => lock.name === name && lock.mode === "exclusive");
    locks
      .request(name, { signal }, hold)
      .catch(async () => answer(signal.aborted && (await isAnothers()) ? false : null))
      .catch(() => answer(null));
  });
}

/** Where it can't be stored, whoever begins to send later finds the lock all the same. */
export async function noteLeaving(store: Store, { report }: Pick<Ports, "report">, asked: Leaving): Promise<void> {
  await store
    .write({ tables: LEAVING_TABLES, durability: "strict" }, async (tx) => putLeaving(tx, asked))
    .catch(report);
}

/**
 * They stay: all of it goes on, once that is over.
 * @param by which press it was that came to nothing; any, where left out
 */
export async function callOff(store: Store, by?: string): Promise<void> {
  await store.write({ tables: ["meta"], durability: "strict" }, async (tx) => {
    if (by === undefined || (await readLeaving(tx))?.by === by) removeLeaving(tx);
  });
}

/**
 * The edge knows the session still: where a tab asked to end it, and ended itself, they stay.
 * @returns after how long to ask the edge again, for that call may be on its way; ms, 0 where there is no need to
 */
export async function callOffLeft(store: Store, ports: Pick<Ports, "locks" | "now">, user: UserId): Promise<number> {
  const leaving = await store.read(["meta"], readLeaving);
  if (leaving === null || ports.locks === null) return 0;
  const passed = Math.abs(ports.now() - leaving.at);
  if (passed < ARRIVES_WITHIN_MS) return ARRIVES_WITHIN_MS - passed;
  return (await callOffAlone(store, ports, user, leaving.by)) ? 0 : ARRIVES_WITHIN_MS;
}

/**
 * They are here: what was asked for by a tab that ended is over. Answers whether; one that is at it finds out by itself.
 * @param by which press it was; any, where left out
 */
export async function callOffAlone(
  store: Store,
  { locks }: Pick<Ports, "locks">,
  user: UserId,
  by?: string,
): Promise<boolean> {
  const over = async (): Promise<boolean> => {
    const leaving = await store.read(["meta"], readLeaving);
    if (by !== undefined && leaving !== null && leaving.by !== by) return false;
    await discardGivenUp(store);
    await callOff(store);
    return true;
  };
  if (locks === null) return over();
  return locks.request(HELD_BACK + user, { ifAvailable: true }, (lock) => (lock === null ? false : over()));
}

/** When no tab is at it any more; null where one is for long, and where that can't be known. */
export async function onceNobodyLeaves<T>(
  { locks, timers }: Pick<Ports, "locks" | "timers">,
  user: UserId,
  work: () => Promise<T>,
): Promise<T | null> {
  if (locks === null) return null;
  const waiting = new AbortController();
  const timer = timers.set(() => waiting.abort(), LEAVES_WITHIN_MS);
  const alone = async (): Promise<T> => {
    timers.clear(timer);
    return work();
  };
  const { signal } = waiting;
  return locks.request(HELD_BACK + user, { signal }, alone).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
}

/** Whether it is; else what was given up by a tab that ended is gone by now. Fails where that can't be. */
export async function isHeldBack(store: Store, locks: Locks, user: UserId): Promise<boolean> {
  if (locks === null) return false;
  const ask = { ifAvailable: true, mode: "shared" } as const;
  return locks.request(HELD_BACK + user, ask, async (lock) => {
    if (lock !== null) await discardGivenUp(store);
    return lock === null;
  });
}

class NotDropped extends Error {}

export async function discardGivenUp(store: Store): Promise<void> {
  try {
    const leaving = await store.read(["meta"], readLeaving);
    if (leaving?.queue !== "discard") return;
    await store.write({ tables: LEAVING_TABLES, durability: "strict" }, dropGivenUp);
  } catch (cause) {
    throw new NotDropped("what was given up can't be dropped", { cause });
  }
}

export interface HoldBack {
  /** Null until that is known. */
  readonly now: () => boolean | null;
  readonly stop: () => void;
}

/** @param changed told whenever it is another than before, and when it is known */
export function watchHoldBack(store: Store, locks: Locks, user: UserId, changed: () => void): HoldBack {
  let isHeld = locks === null ? false : null;
  /** What was given up is still there. */
  let isLate = false;
  const stopping = new AbortController();
  const { signal } = stopping;
  const become = (is: boolean): void => {
    if (is === isHeld || signal.aborted) return;
    isHeld = is;
    changed();
  };
  const look = async (): Promise<void> => {
    const is = await isHeldBack(store, locks, user);
    become(is);
    if (!is) return;
    await locks?.request(HELD_BACK + user, { mode: "shared", signal }, () => discardGivenUp(store));
    become(false);
  };
  const lookAgain = (): void => {
    isLate = false;
    look().catch((error: unknown) => {
      // Locks that can't be asked hold nothing; a disk that keeps what was given up is asked again.
      isLate = error instanceof NotDropped;
      become(isLate);
    });
  };
  const isAsked = (change: Change): boolean =>
    change.table === "meta" && "put" in change && change.put.key === "leaving";
  const stopStore = store.listen((commit) => {
    const isNews = commit.some(isAsked);
    // Whatever comes of it, what was about to be sent is read anew.
    if (isNews) become(true);
    if (isNews || isLate) lookAgain();
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
