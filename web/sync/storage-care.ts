// What is done when this device can't store: what can be made again goes first (the search index), then the oldest
// history, and never anything that isn't sent. The person is told for as long as it lasts, in every tab. One way for
// commands and for what comes from the rooms. What can't be read any more is said as well, and what is gone together with a
// database that was taken away between two visits. Loaded behind the first screen.
import type { Failure } from "#protocol/errors.ts";
import { ok, type Result } from "#protocol/result.ts";
import { besideDisk } from "../store/beside.ts";
import type { Index } from "../store/index-database.ts";
import { isBroken, isQuota, isTakenAway } from "../store/faults.ts";
import { readabilityOf, type Readability } from "../store/readable.ts";
import { dropSearchIndex } from "../store/remove-database.ts";
import { giveUp, setAside } from "../store/reserve.ts";
import type { Store } from "../store/store.ts";
import { turnLogAlone } from "../store/turn-log.ts";
import type { StorageNotice, UpdateSnapshot } from "./client.ts";
import { failing } from "./failing.ts";
import { holdDatabase } from "./holding.ts";
import type { Note } from "./journal.ts";
import { createLine } from "./line.ts";
import { makeRoom } from "./make-room.ts";
import type { Ports } from "./ports.ts";
import { forgetRooms } from "./search/forget-rooms.ts";
import { subjectOf } from "./subject-of.ts";
import { untilHere } from "./until-here.ts";
import type { watchWaiting } from "./watch-waiting.ts";
import { withRoom } from "./with-room.ts";

export interface CareDeps {
  readonly store: Store;
  readonly ports: Pick<
    Ports,
    "indexedDB" | "locks" | "newId" | "openBus" | "report" | "storage" | "surroundings" | "timers"
  >;
  /** The person's database. */
  readonly name: string;
  readonly index: Pick<Index, "begin">;
  readonly tell: (news: Partial<UpdateSnapshot>) => void;
  readonly note: (note: Note) => void;
}

export interface StorageCare {
  /**
   * A write that failed, once more when something has made way; what the person must hear where that doesn't help. One
   * after the other: what was written later waits, and where nothing made way for the one before, nothing does for it.
   * @param error undefined where it wasn't tried yet
   */
  readonly again: <T>(error: unknown, commit: () => Promise<T>) => Promise<Result<T, Failure>>;
  /**
   * Something in the background couldn't be stored or read: room is made, so that it may be tried again, or it is looked
   * into. What has nothing to do with a disk that fails is a bug. Never fails itself: who waits goes on with what comes next.
   */
  readonly failed: (error: unknown) => Promise<void>;
  /** The device has no room for more history. */
  readonly isShort: () => boolean;
  /** Which database is looked after, as last seen; null where that isn't known. */
  readonly database: () => string | null;
  readonly close: () => void;
}

/** `short`: history makes way. `full`: nothing is left that could. */
type Shortage = Extract<StorageNotice, "short" | "full">;

const REOPENS_WITHIN_MS = 300;
/** Each frees what it can; what is large may need several. */
const ROUNDS = 3;
/** While space is short it is tried so often whether there is some again. */
const TRIES_EVERY_MS = 10_000;
const RESTOCKS_AFTER_MS = 300;
/** Behind what the opening reads and writes: what is written before that may be lost with the next start. */
const TURNS_AFTER_MS = 3_000;
/** All of it takes some five seconds, and nobody who takes over, or types, waits for it. */
const TURNS_IN_STEPS_MS = 100;
/** More than is freed at once: else it would be over as soon as history has made way. */
const ROOM_BYTES = 3_000_000;
/** A tab that holds a database and hangs must not keep what is written waiting. */
const GIVES_UP_AFTER_MS = 3_000;

export function careForStorage(deps: CareDeps): StorageCare {
  const { store, ports, name } = deps;
  const factory = store.kind === "disk" ? ports.indexedDB : null;
  const bus = ports.openBus(`${name}/space`);
  let shortage: Shortage | null = null;
  let making: Promise<void> | null = null;
  let looking: Promise<Readability> | null = null;
  let isToldBroken = false;
  let timer: unknown = null;
  let restocking: unknown = null;
  let turning: unknown = null;
  let isUnsentGone = false;
  const inLine = createLine();
  const closing = Promise.withResolvers<void>();
  let stopBeside: (() => void) | undefined;
  let waiting: ReturnType<typeof watchWaiting> | undefined;
  let isClosed = false;

  const become = (next: Shortage | null, isTold = true): void => {
    if (isClosed || next === shortage) return;
    shortage = next;
    say();
    if (isTold) bus.send({ type: "space", shortage: next });
    if (next !== null) timer ??= ports.timers.set(tryAgain, TRIES_EVERY_MS);
  };

  /** Of several the one that most depends on. */
  const say = (): void => deps.tell({ notice: shortage ?? (isUnsentGone ? "unsent-gone" : null) });

  const tryAgain = (): void => {
    timer = null;
    if (isClosed || shortage === null) return;
    void hasRoom().then((is) => {
      if (is) become(null);
      else if (!isClosed) timer ??= ports.timers.set(tryAgain, TRIES_EVERY_MS);
    });
  };

  const hasRoom = async (): Promise<boolean> => {
    if (factory === null) return true;
    try {
      await setAside(factory, ROOM_BYTES);
      return true;
    } catch {
      return false;
    }
  };

  const letGo = holdDatabase(factory === null ? null : ports.locks, name);
  const stopForgetting =
    factory === null ? () => undefined : forgetRooms({ store, report: ports.report }, factory, name);

  const stopBus = bus.listen((message) => {
    if (isSpaceMessage(message)) become(message.shortage, false);
  });

  const inTime = (work: Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const late = ports.timers.set(resolve, GIVES_UP_AFTER_MS);
      void work.then(resolve, reject).finally(() => ports.timers.clear(late));
    });

  /** All who need room at the same time share what is made. */
  const makeWay = async (): Promise<void> => {
    making ??= free();
    try {
      await making;
    } catch (error) {
      // Not even what went could be noted: the write that needs room says so.
      if (!isQuota(error)) throw error;
    } finally {
      making = null;
      restocking ??= ports.timers.set(restock, RESTOCKS_AFTER_MS);
    }
  };

  /** Once that is stored for which room was made: else there would be none to make room the next time. */
  const restock = (): void => {
    restocking = null;
    if (!isClosed && factory !== null) void setAside(factory).catch(() => undefined);
  };

  const free = async (): Promise<void> => {
    deps.note({ kind: "storage", what: "full" });
    if (shortage === null) become("short");
    if (factory !== null) {
      await inTime(dropSearchIndex(factory, name));
      await inTime(giveUp(factory));
    }
    if (!(await makeRoom(store))) return;
    // Only now the browser gets back what was deleted.
    if (factory !== null) await inTime(giveUp(factory));
    deps.note({ kind: "storage", what: "made-room" });
  };

  /** Answers whether it may go now. */
  const mend = async (error: unknown): Promise<boolean> => {
    if (isTakenAway(error)) {
      // A moment later it is known whether another database takes the place of the one that is gone.
      await new Promise<void>((resolve) => ports.timers.set(resolve, REOPENS_WITHIN_MS));
      return true;
    }
    if (!isQuota(error)) return false;
    await makeWay();
    return true;
  };

  const pause = (): Promise<void> => new Promise((resolve) => ports.timers.set(resolve, TURNS_IN_STEPS_MS));

  /** Not where history makes way; once it is over, what that wrote will have turned it. */
  const turn = (): void => {
    if (factory !== null && shortage === null)
      void turnLogAlone(factory, ports.locks, closing.promise, pause).catch(() => undefined);
  };

  /** A database that can't be read is no bug of ours; what becomes of it is the person's choice. */
  const lookAt = async (error: unknown): Promise<void> => {
    if (factory === null || !isBroken(error)) return ports.report(error);
    looking ??= readabilityOf(factory, name);
    const found = await looking;
    looking = null;
    // Said only of what another connection can't read either; what comes late from one that was replaced says nothing.
    if (found !== "broken") return found === "gone" || isToldBroken ? undefined : ports.report(error);
    if (isClosed) return;
    if (!isToldBroken) deps.note({ kind: "storage", what: "broken" });
    isToldBroken = true;
    deps.tell({ notice: "broken" });
  };

  const failed = async (error: unknown): Promise<void> => {
    try {
      // The database was taken away: what was under way comes again, and is read again, when another one stands there.
      if (isTakenAway(error)) return;
      if (isQuota(error)) await makeWay();
      else await lookAt(error);
    } catch (fault) {
      if (!isTakenAway(fault)) ports.report(fault);
    }
  };

  const storeAgain = async <T>(
    error: unknown,
    commit: () => Promise<T>,
    mayMend: boolean,
  ): Promise<Result<T, Failure>> => {
    let fault = error;
    // Who stood behind one for which nothing helped tries once, as things are.
    for (let round = 0; round < (mayMend ? ROUNDS : 1); round += 1) {
      if (mayMend && fault !== undefined && !(await mend(fault))) break;
      try {
        const value = await commit();
        if (shortage === "full") become("short");
        return ok(value);
      } catch (next) {
        fault = next;
      }
    }
    if (!(fault instanceof DOMException)) throw fault;
    if (isQuota(fault)) {
      become("full");
      return failing("storage_full");
    }
    // Closed under us by a newer build, or by the browser itself: nothing typed was taken, and the person is told. Closed
    // since they signed out, it is as it should be.
    if (!isClosed || !isTakenAway(fault)) void lookAt(fault);
    if (fault.name !== "InvalidStateError")
      // It keeps what it keeps: this alone failed, and nobody need look for a private window.
      return {
        ok: false,
        error: { code: "storage_blocked", detail: "This couldn't be stored on this device. Try again." },
      };
    // Why is said by the bar; here, what became of what was to be stored.
    const detail = "This tab can store nothing any more. Reload to go on.";
    return { ok: false, error: { code: "upgrade_required", detail } };
  };

  // Only where a browser tells of its storage: elsewhere it isn't known that there is such a thing as a quota.
  if (factory !== null && ports.storage !== null) {
    void setAside(factory).catch((error: unknown) => isQuota(error) && become("short"));
  }

  const tellGone = (is: boolean): void => {
    if (is === isUnsentGone || isToldBroken) return;
    isUnsentGone = is;
    if (shortage === null) say();
  };

  const again: StorageCare["again"] = (error, commit) => inLine((mayMend) => storeAgain(error, commit, mayMend));

  const watch = async (): Promise<void> => {
    const { surroundings } = ports;
    if (surroundings === undefined || factory === null) return;
    const around = await untilHere(surroundings, ports.timers);
    if (isClosed) return;
    if (around.mayTearLog) turning = ports.timers.set(turn, TURNS_AFTER_MS);
    if (deps.index.begin !== null) {
      stopBeside = around.keepBeside?.(
        subjectOf(name),
        withRoom(besideDisk(deps.index.begin, name), again, () => shortage === "full"),
        store,
      );
    }
    const { watchWaiting } = await untilHere(() => import("./watch-waiting.ts"), ports.timers);
    if (isClosed) return;
    const { notes } = around;
    waiting = watchWaiting({ store, ports, notes, name, note: deps.note, tell: tellGone });
  };
  watch().catch(ports.report);

  return {
    again,
    failed,
    isShort: () => shortage !== null,
    database: () => waiting?.database() ?? null,
    close: () => {
      letGo();
      become(null, false);
      tellGone(false);
      isClosed = true;
      ports.timers.clear(timer);
      ports.timers.clear(restocking);
      ports.timers.clear(turning);
      closing.resolve();
      stopBeside?.();
      waiting?.close();
      stopForgetting();
      stopBus();
      bus.close();
    },
  };
}

/** Our own tabs of the same origin are the only senders. */
function isSpaceMessage(message: unknown): message is { readonly shortage: Shortage | null } {
  return typeof message === "object" && message !== null && "shortage" in message;
}
