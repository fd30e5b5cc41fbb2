// The leader machine at work in one tab: the lock, the pings, the id in the database, and the engine that runs while
// this tab leads.
import { isQuota } from "../store/faults.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import type { Store } from "../store/store.ts";
import { putLeader } from "../store/meta.ts";
import { step, type Leader, type LeaderEffect, type LeaderEvent } from "./leader.ts";
import { live } from "./outlive.ts";
import type { Page, Ports } from "./ports.ts";
import type { StorageCare } from "./storage-care.ts";
import type { TabMessage } from "./tab-messages.ts";

export interface Leading {
  readonly isLeading: () => boolean;
  /**
   * Where what was said of the line is past, and nothing will be heard of it for now: this tab would lead, and even that
   * can't be stored, or isn't yet, since one that hangs keeps the disk; or a newer build leads.
   */
  readonly paused: () => ConnectionSnapshot | null;
  readonly dispatch: (event: LeaderEvent) => void;
  /** @param isOutdated a newer build has the database */
  readonly close: (isOutdated?: true) => Promise<void>;
}

const FULL: ConnectionSnapshot = { state: "full" };
const CONNECTING: ConnectionSnapshot = { state: "connecting" };
const OUTDATED: ConnectionSnapshot = { state: "refused", code: "upgrade_required", detail: "Reload to go on." };

export interface LeadingDeps {
  readonly ports: Pick<Ports, "locks" | "timers" | "report"> & Partial<Pick<Ports, "page">>;
  readonly store: Store;
  /** Left out where there is nobody to tell. */
  readonly care?: () => Promise<StorageCare>;
  /** Names the lock: one leader a person and profile. */
  readonly name: string;
  readonly tab: string;
  /** To the other tabs. */
  readonly say: (message: TabMessage) => void;
  /**
   * Fetches the engine; answers how to start it, which is done once and answers how to stop it. That resolves when nothing
   * of it writes any more.
   */
  readonly lead: () => Promise<() => () => Promise<void>>;
  readonly changed: () => void;
}

/** Between two tries to begin, ms. */
const AGAIN_MS = 2_000;
/** Longer than beginning takes, unless something holds it up; ms. */
const BEGINS_WITHIN_MS = 1_000;

/** The timers of a page nobody looks at are up to a minute late; those of one that is looked at see to it, ms. */
const TICK_EVERY_MS = 10_000;

export function startLeading(deps: LeadingDeps): Leading {
  const { ports, tab } = deps;
  let leader: Leader = { name: "following" };
  let stopEngine: (() => Promise<void>) | null = null;
  let release: (() => void) | null = null;
  /** Raised by each request, so that what an earlier one still brings is known for old. */
  let request = 0;
  let waiting: AbortController | null = null;
  /** Runs out where the leader has not answered in time. */
  let asking: unknown = null;
  /** Runs out when beginning is tried again. */
  let again: unknown = null;
  let isClosed = false;
  let isFull = false;
  let isHeldUp = false;
  /** Runs out where beginning is held up. */
  let beginning: unknown = null;
  let isOutdated = false;
  /** Why the last try to begin failed; empty where it didn't. */
  let told = "";
  let last: Promise<void> = Promise.resolve();
  const begin = (): (() => void) => (ports.locks === null ? () => undefined : live(ports.locks, tab));
  let die = begin();

  const dispatch = (event: LeaderEvent): void => {
    if (isClosed) return;
    const was = leader.name;
    const { leader: next, effects } = step(leader, event);
    leader = next;
    if (event.type === "frozen" || event.type === "returned") die();
    if (event.type === "returned") die = begin();
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
        return deps.say({ type: "ping", tab });
      case "wait":
        // Of an earlier question, which was answered, what is left says nothing of this one.
        ports.timers.clear(asking);
        asking = ports.timers.set(() => dispatch({ type: "waited" }), effect.ms);
        return;
      case "lead":
        if (ports.locks !== null) beginning = ports.timers.set(() => holdsUp(true), BEGINS_WITHIN_MS);
        return lead();
      case "stop-leading":
        hasNoRoom(false);
        holdsUp(false);
        last = last.then(stop).catch(ports.report);
        return;
    }
  };

  const lead = (): void => {
    last = last.then(startEngine).catch(ports.report);
  };

  const startEngine = async (): Promise<void> => {
    if (!isToLead()) return;
    try {
      await deps.store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putLeader(tx, tab));
    } catch (error) {
      // The disk may have room again later, or another database stands in its place; until then nobody else leads.
      tryAgain();
      hasNoRoom(isQuota(error));
      return lookInto(error);
    }
    hasNoRoom(false);
    if (!isToLead()) return;
    const start = await deps.lead().catch(notFetched);
    if (start === null) return;
    told = "";
    // What is half started isn't started again: that is a bug.
    if (isToLead()) stopEngine = start();
    holdsUp(false);
  };

  const hasNoRoom = (is: boolean): void => {
    if (is === isFull) return;
    isFull = is;
    deps.changed();
  };

  const holdsUp = (is: boolean): void => {
    ports.timers.clear(beginning);
    if (is === isHeldUp) return;
    isHeldUp = is;
    deps.changed();
  };

  const isToLead = (): boolean => leader.name === "leading" && stopEngine === null && !isClosed;

  const tryAgain = (): void => {
    ports.timers.clear(again);
    again = ports.timers.set(lead, AGAIN_MS);
  };

  /** A line that was bad for a moment says nothing of the disk. */
  const notFetched = (error: unknown): null => {
    tryAgain();
    const isTold = String(error) === told;
    told = String(error);
    if (!isTold) ports.report(error);
    return null;
  };

  /** Reads all that is stored: once for each cause, not with every try. Room is made with every try. */
  const lookInto = async (error: unknown): Promise<void> => {
    if (String(error) === told && !isQuota(error)) return;
    told = String(error);
    const care = await deps.care?.();
    // Not waited for: whoever takes over or signs out waits for what is under way here.
    if (care !== undefined) void care.failed(error);
    else if (!isQuota(error)) ports.report(error);
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
        const name = error instanceof DOMException ? error.name : "";
        // A browser that keeps nothing for this page may let it have no locks either.
        const isRefused = name === "SecurityError";
        // Else called off by ourselves, or stolen by a tab that had no answer from us.
        if (mine === request) dispatch({ type: isRefused ? "granted" : "lost" });
        if (!isRefused && name !== "AbortError") ports.report(error);
      });
  };

  let ticking: unknown = null;
  const tick = (page: Page): void => {
    ticking = ports.timers.set(() => tick(page), TICK_EVERY_MS);
    if (leader.name === "leading" || !page.isVisible()) return;
    deps.say({ type: "tick" });
    dispatch({ type: "watched" });
  };
  if (ports.page !== undefined) tick(ports.page);

  // What it watches over it watches over in every tab, whichever leads.
  void deps.care?.().catch(() => undefined);
  dispatch({ type: "started" });
  return {
    isLeading: () => leader.name === "leading",
    paused: () => (isOutdated ? OUTDATED : isFull ? FULL : isHeldUp ? CONNECTING : null),
    dispatch,
    close: async (outdated) => {
      ports.timers.clear(ticking);
      dispatch({ type: "frozen" });
      isClosed = true;
      await last;
      isOutdated = outdated === true;
      if (isOutdated) deps.changed();
    },
  };
}
