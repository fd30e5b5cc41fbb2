import { expect, test } from "vitest";
import { openStore } from "../../store/open-store.ts";
import { createProfile } from "../../test/node-ports.ts";
import type { FromWorker, ToWorker } from "./asked.ts";
import { openWorkerLink, type SearchPort, type WorkerLink } from "./worker-link.ts";

interface Rig {
  readonly link: WorkerLink;
  /** What each worker was told, in the order they were started. */
  readonly workers: ToWorker[][];
  readonly endedCount: () => number;
  /** The newest worker says this; null: it breaks. */
  readonly say: (message: FromWorker | null) => void;
  /** Time passes. */
  readonly elapse: () => void;
}

async function openRig(start?: () => Promise<SearchPort>): Promise<Rig> {
  const timers = new Map<number, () => void>();
  const profile = createProfile({
    origin: "http://test",
    timers: {
      set: (run) => {
        timers.set(timers.size + 1, run);
        return timers.size;
      },
      clear: (timer) => void timers.set(timer as number, () => undefined),
    },
  });
  const { ports } = profile.openTab();
  const store = await openStore(ports.indexedDB, "db", ports.openBus("db"), () => undefined);
  const workers: ToWorker[][] = [];
  let listener: (message: FromWorker | null) => void = () => undefined;
  let endedCount = 0;
  const openSearchWorker = async (): Promise<SearchPort> => {
    if (start !== undefined && workers.length === 0) {
      workers.push([]);
      return start();
    }
    const told: ToWorker[] = [];
    workers.push(told);
    return {
      send: (message) => told.push(message),
      listen: (given) => (listener = given),
      end: () => (endedCount += 1),
    };
  };
  return {
    link: openWorkerLink({ ports: { ...ports, openSearchWorker }, store, name: "db" }),
    workers,
    endedCount: () => endedCount,
    say: (message) => listener(message),
    elapse: () => {
      for (const run of timers.values()) run();
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const answer = (id: number, total: number): FromWorker => ({
  type: "answer",
  id,
  answer: { total, hits: [], extent: { count: 0, oldestAt: null } },
});
const asks = (told: readonly ToWorker[] | undefined): string[] =>
  (told ?? []).flatMap((message) => (message.type === "ask" ? [message.rooms] : []));

test("the worker starts with the first question, and of those typed over only the last is asked", async () => {
  const { link, workers, say } = await openRig();
  expect(workers).toEqual([]);
  const [first, second, third] = ["1", "2", "3"].map((rooms) => link.ask(rooms, null));
  await settled();
  expect(workers[0]?.[0]).toEqual({ type: "open", name: "db", isFed: false });
  expect(asks(workers[0])).toEqual(["1"]);
  say(answer(1, 7));
  await settled();
  expect(asks(workers[0])).toEqual(["1", "3"]);
  say(answer(2, 9));
  expect(await Promise.all([first, second, third])).toMatchObject([{ total: 7 }, null, { total: 9 }]);
});

test("when nobody looks and nobody asks it ends, and the next question starts another", async () => {
  const { link, workers, say, endedCount, elapse } = await openRig();
  const stop = link.status.subscribe(() => undefined);
  const asked = link.ask("1", null);
  await settled();
  say(answer(1, 1));
  await asked;
  elapse();
  await settled();
  expect(endedCount()).toBe(0);
  stop();
  elapse();
  await settled();
  expect(endedCount()).toBe(1);
  void link.ask("2", null);
  await settled();
  expect(workers.map(asks)).toEqual([["1"], ["2"]]);
});

test("one that breaks or can't be had answers nothing, says so, and is tried again by the next question", async () => {
  const { link, workers, say } = await openRig(() => Promise.reject(new Error("not on this device yet")));
  expect(await link.ask("1", null)).toBeNull();
  expect(link.status.snapshot().state).toBe("unavailable");
  const second = link.ask("2", null);
  await settled();
  say({ type: "status", status: { state: "ready", todo: 0, version: 1 } });
  expect(link.status.snapshot().state).toBe("ready");
  say(null);
  expect(await second).toBeNull();
  expect(link.status.snapshot().state).toBe("unavailable");
  void link.ask("3", null);
  await settled();
  expect(workers.map(asks)).toEqual([[], ["2"], ["3"]]);
});
