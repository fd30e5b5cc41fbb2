// The leader machine at work in one tab: the lock, the pings, the id in the database, and the engine that runs while
// this tab leads.
import type { Store } from "../store/store.ts";
import { putLeader } from "../store/meta.ts";
import { step, type Leader, type LeaderEffect, type LeaderEvent } from "./leader.ts";
import type { Ports } from "./ports.ts";
import type { StorageCare } from "./storage-care.ts";

export interface Leading {
  readonly isLeading: () => boolean;
  readonly dispatch: (event: LeaderEvent) => void;
  readonly close: () => Promise<void>;
}

export interface LeadingDeps {
  readonly ports: Pick<Ports, "locks" | "timers" | "report">;
  readonly store: Store;
  /** Left out where there is nobody to tell. */
  readonly care?: () => Promise<StorageCare>;
  /** Names the lock: one leader a person and profile. */
  readonly name: string;
  readonly tab: string;
  readonly ping: () => void;
  /** Starts the engine; answers how to stop it, which resolves when nothing of it writes any more. */
  readonly lead: () => Promise<() => Promise<void>>;
  readonly changed: () => void;
}

/** Between two tries to begin, ms. */
const AGAIN_MS = 2_000;

export function startLeading(deps: LeadingDeps): Leading {
  const { ports, tab } = deps;
  let leader: Leader = { name: "following" };
  let stopEngine: (() => Promise<void>) | null = null;
  let release: (() => void) | null = null;
  /** Raised by each request, so that what an earlier one still brings is known for old. */
  let request = 0;
  let waiting: AbortController | null = null;
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();

  const dispatch = (event: LeaderEvent): void => {
    if (isClosed) return;
    const was = leader.name;
    const { leader: next, effects } = step(leader, event);
    leader = next;
    for (const effect of effects) run(effect);
    if (was !== next.name) deps.changed();
  };

  const run = (effect: LeaderEffect): void => {
    switch (effect.do) {
      case "request-lock":
        return requestLock(effect.steals);
      case "release-lock":
        return letGo();
      case "ping":
        return deps.ping();
      case "wait":
        ports.timers.set(() => dispatch({ type: "waited" }), effect.ms);
        return;
      case "lead":
        last = last.then(lead).catch(ports.report);
        return;
      case "stop-leading":
        last = last.then(stop).catch(ports.report);
        return;
    }
  };

  const lead = async (): Promise<void> => {
    if (leader.name !== "leading" || stopEngine !== null || isClosed) return;
    try {
      await deps.store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putLeader(tx, tab));
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== "QuotaExceededError") throw error;
      await (await deps.care?.())?.failed(error);
      // A full disk may have room again later, and until then nobody else leads.
      ports.timers.set(() => {
        last = last.then(lead).catch(ports.report);
      }, AGAIN_MS);
      return;
    }
    if (leader.name === "leading" && !isClosed) stopEngine = await deps.lead();
  };

  const stop = async (): Promise<void> => {
    const stopping = stopEngine;
    stopEngine = null;
    await stopping?.();
  };

  const letGo = (): void => {
    request += 1;
    waiting?.abort();
    waiting = null;
    const giveUp = release;
    release = null;
    // The lock goes when the engine has stopped: the next leader must find nobody writing.
    last = last.then(() => giveUp?.());
  };

  const requestLock = (steals: boolean): void => {
    const mine = ++request;
    if (ports.locks === null) return dispatch({ type: "granted" });
    waiting?.abort();
    const given = steals ? null : new AbortController();
    waiting = given;
    const options: LockOptions = given === null ? { steal: true } : { signal: given.signal };
    ports.locks
      .request(deps.name, options, () => {
        if (mine !== request || isClosed) return undefined;
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        dispatch({ type: "granted" });
        return held;
      })
      .catch((error: unknown) => {
        // Called off by ourselves, or stolen by a tab that had no answer from us.
        if (mine === request) dispatch({ type: "lost" });
        if (!(error instanceof DOMException) || error.name !== "AbortError") ports.report(error);
      });
  };

  dispatch({ type: "started" });
  return {
    isLeading: () => leader.name === "leading",
    dispatch,
    close: async () => {
      dispatch({ type: "frozen" });
      isClosed = true;
      await last;
    },
  };
}
