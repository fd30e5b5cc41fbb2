// What is done when this device can't store: room is made (space.ts), and the person is told for as long as it lasts, in
// every tab. One way for commands and for what comes from the rooms. What can't be read any more is said as well, and what
// is gone together with a database that was taken away between two visits. Loaded behind the first screen.
import type { Failure } from "#protocol/errors.ts";
import { ok, type Result } from "#protocol/result.ts";
import { besideDisk } from "../store/beside.ts";
import type { Index } from "../store/index-database.ts";
import { isBroken, isQuota, isTakenAway } from "../store/faults.ts";
import { isCounted } from "../store/outbox.ts";
import { readabilityOf, type Readability } from "../store/readable.ts";
import type { Change, Store } from "../store/store.ts";
import type { UpdateSnapshot } from "./client.ts";
import { failing } from "./failing.ts";
import { holdDatabase } from "./holding.ts";
import type { Note } from "./journal.ts";
import { createLine } from "./line.ts";
import type { KeptBeside, Ports } from "./ports.ts";
import { forgetRooms } from "./search/forget-rooms.ts";
import { careForSpace } from "./space.ts";
import { subjectOf } from "./subject-of.ts";
import { turnLogLater } from "./turn-log-later.ts";
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
  /** Another one stands in its place. */
  readonly remade: () => void;
  readonly close: () => void;
}

const REOPENS_WITHIN_MS = 300;
/** Each frees what it can; what is large may need several. */
const ROUNDS = 3;

export function careForStorage(deps: CareDeps): StorageCare {
  const { store, ports, name } = deps;
  const factory = store.kind === "disk" ? ports.indexedDB : null;
  let looking: Promise<Readability> | null = null;
  let isToldBroken = false;
  let isUnsentGone = false;
  const inLine = createLine();
  let beside: KeptBeside | undefined;
  /** Before what puts back was here. */
  let wasRemade = false;
  let stopTurning: (() => void) | undefined;
  let waiting: ReturnType<typeof watchWaiting> | undefined;
  let isClosed = false;

  /** Of several the one that most depends on. */
  const say = (): void => deps.tell({ notice: space.shortage() ?? (isUnsentGone ? "unsent-gone" : null) });

  const space = careForSpace({ store, ports, name, factory, note: deps.note, changed: say });
  const stopListening = store.listen((commit) => {
    if (space.shortage() === "full" && commit.some(isWritten)) space.become("short");
  });
  const letGo = holdDatabase(factory === null ? null : ports.locks, name);
  const stopForgetting =
    factory === null ? () => undefined : forgetRooms({ store, report: ports.report }, factory, name);

  /** Answers whether it may go now. */
  const mend = async (error: unknown): Promise<boolean> => {
    if (isTakenAway(error)) {
      // A moment later it is known whether another database takes the place of the one that is gone.
      await new Promise<void>((resolve) => ports.timers.set(resolve, REOPENS_WITHIN_MS));
      return true;
    }
    if (!isQuota(error)) return false;
    await space.makeWay();
    return true;
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
      if (isQuota(error)) await space.makeWay();
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
        if (space.shortage() === "full") space.become("short");
        return ok(value);
      } catch (next) {
        fault = next;
      }
    }
    if (!(fault instanceof DOMException)) throw fault;
    if (isQuota(fault)) {
      space.become("full");
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

  const tellGone = (is: boolean): void => {
    if (is === isUnsentGone || isToldBroken) return;
    isUnsentGone = is;
    if (space.shortage() === null) say();
  };

  const again: StorageCare["again"] = (error, commit) => inLine((mayMend) => storeAgain(error, commit, mayMend));

  const watch = async (): Promise<void> => {
    const { surroundings } = ports;
    if (surroundings === undefined || factory === null) return;
    const around = await untilHere(surroundings, ports.timers);
    if (isClosed) return;
    // Not where history makes way; once that is over, what it wrote will have turned it.
    if (around.mayTearLog) stopTurning = turnLogLater(factory, ports, () => space.shortage() === null);
    if (deps.index.begin !== null) {
      beside = around.keepBeside?.(
        subjectOf(name),
        withRoom(besideDisk(deps.index.begin, name), again, () => space.shortage() === "full"),
        store,
      );
      if (wasRemade) beside?.remade();
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
    isShort: () => space.shortage() !== null,
    database: () => waiting?.database() ?? null,
    remade: () => {
      wasRemade = true;
      beside?.remade();
    },
    close: () => {
      stopListening();
      letGo();
      space.close();
      tellGone(false);
      isClosed = true;
      stopTurning?.();
      beside?.end();
      waiting?.close();
      stopForgetting();
    },
  };
}

/** Something that a person wrote was stored, at the first try: there is room, as for other texts. A change of one may need none. */
function isWritten(change: Change): boolean {
  return change.table === "outbox" && "put" in change && change.put.version === 0 && isCounted(change.put);
}
