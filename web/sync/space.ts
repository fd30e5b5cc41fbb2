// What is done when this device has no room: what can be made again goes first (the search index), then what is set aside
// for this, then the oldest history, and never anything that isn't sent. How short it is all tabs of a person know alike.
import { isQuota } from "../store/faults.ts";
import { dropSearchIndex } from "../store/remove-database.ts";
import { giveUp, setAside } from "../store/reserve.ts";
import type { Store } from "../store/store.ts";
import type { StorageNotice } from "./client.ts";
import type { Note } from "./journal.ts";
import { makeRoom } from "./make-room.ts";
import type { Ports } from "./ports.ts";

/** `short`: history makes way. `full`: nothing is left that could. */
export type Shortage = Extract<StorageNotice, "short" | "full">;

export interface SpaceDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, "openBus" | "storage" | "timers">;
  /** The person's database. */
  readonly name: string;
  /** Null where nothing is kept. */
  readonly factory: IDBFactory | null;
  readonly note: (note: Note) => void;
  /** It is short of space, or isn't any more, by this tab or another one. */
  readonly changed: () => void;
}

export interface Space {
  readonly shortage: () => Shortage | null;
  readonly become: (next: Shortage) => void;
  /** Makes room; all who need some at the same time share what is made. */
  readonly makeWay: () => Promise<void>;
  readonly close: () => void;
}

/** While space is short it is tried so often whether there is some again. */
const TRIES_EVERY_MS = 10_000;
const RESTOCKS_AFTER_MS = 300;
/** More than is freed at once: else it would be over as soon as history has made way. */
const ROOM_BYTES = 3_000_000;
/** A tab that holds a database and hangs must not keep what is written waiting. */
const GIVES_UP_AFTER_MS = 3_000;

export function careForSpace({ store, ports, name, factory, note, changed }: SpaceDeps): Space {
  const bus = ports.openBus(`${name}/space`);
  let shortage: Shortage | null = null;
  let making: Promise<void> | null = null;
  let timer: unknown = null;
  let restocking: unknown = null;
  let isClosed = false;

  const become = (next: Shortage | null, isTold = true): void => {
    if (isClosed || next === shortage) return;
    shortage = next;
    changed();
    if (isTold) bus.send({ type: "space", shortage: next });
    if (next !== null) timer ??= ports.timers.set(tryAgain, TRIES_EVERY_MS);
  };

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

  const stopBus = bus.listen((message) => {
    if (isSpaceMessage(message)) become(message.shortage, false);
  });

  const inTime = (work: Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const late = ports.timers.set(resolve, GIVES_UP_AFTER_MS);
      void work.then(resolve, reject).finally(() => ports.timers.clear(late));
    });

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
    note({ kind: "storage", what: "full" });
    if (shortage === null) become("short");
    if (factory !== null) {
      await inTime(dropSearchIndex(factory, name));
      await inTime(giveUp(factory));
    }
    if (!(await makeRoom(store))) return;
    // Only now the browser gets back what was deleted.
    if (factory !== null) await inTime(giveUp(factory));
    note({ kind: "storage", what: "made-room" });
  };

  // Only where a browser tells of its storage: elsewhere it isn't known that there is such a thing as a quota.
  if (factory !== null && ports.storage !== null) {
    void setAside(factory).catch((error: unknown) => isQuota(error) && become("short"));
  }

  return {
    shortage: () => shortage,
    become,
    makeWay,
    close: () => {
      become(null, false);
      isClosed = true;
      ports.timers.clear(timer);
      ports.timers.clear(restocking);
      stopBus();
      bus.close();
    },
  };
}

/** Our own tabs of the same origin are the only senders. */
function isSpaceMessage(message: unknown): message is { readonly shortage: Shortage | null } {
  return typeof message === "object" && message !== null && "shortage" in message;
}
