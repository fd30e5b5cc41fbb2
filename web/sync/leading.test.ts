// Beginning to lead: over a disk that fails, and beside one who leads.
import { expect, it } from "vitest";
import type { Store } from "../store/store.ts";
import { startLeading, type Leading, type LeadingDeps } from "./leading.ts";
import type { Ports } from "./ports.ts";
import type { StorageCare } from "./storage-care.ts";

/** What doesn't matter to how one begins. @param leads told when one has begun */
const toLead = (leads: () => void): Pick<LeadingDeps, "name" | "tab" | "say" | "lead" | "changed"> => ({
  name: "olga",
  tab: "tab",
  say: () => undefined,
  lead: async () => () => {
    leads();
    return async () => undefined;
  },
  changed: () => undefined,
});

it("tries again for as long as it can't begin, looks into it once, and lets go at any time", async () => {
  const tries: (() => void)[] = [];
  let [isBroken, writes, looks, leads] = [true, 0, 0, 0];
  const leading = startLeading({
    ports: {
      locks: null,
      timers: { set: (run) => tries.push(run), clear: () => undefined },
      report: (error) => expect(error).toBeUndefined(),
    },
    store: {
      write: async () => {
        writes += 1;
        if (isBroken) throw new DOMException("Internal error.", "UnknownError");
      },
    } as unknown as Store,
    care: async () =>
      ({
        // One that looks for ever holds up nobody.
        failed: () => {
          looks += 1;
          return new Promise(() => undefined);
        },
      }) as unknown as StorageCare,
    ...toLead(() => (leads += 1)),
  });
  for (const round of [1, 2, 3]) {
    await expect.poll(() => tries.length).toBe(1);
    expect([writes, leads]).toEqual([round, 0]);
    if (round === 3) isBroken = false;
    tries.pop()?.();
  }
  await expect.poll(() => leads).toBe(1);
  expect(looks).toBe(1);
  await leading.close();
});

it("leads alone where the browser lets a page have no locks", async () => {
  let leads = 0;
  const refused = async (): Promise<never> => {
    throw new DOMException("not here", "SecurityError");
  };
  const leading = startLeading({
    ports: {
      locks: { request: refused, query: refused },
      timers: { set: () => 0, clear: () => undefined },
      report: (error) => expect(error).toBeUndefined(),
    },
    store: { write: async () => undefined } as unknown as Store,
    ...toLead(() => (leads += 1)),
  });
  await expect.poll(() => leads).toBe(1);
  await leading.close();
});

interface Unfetched {
  readonly leading: Leading;
  readonly did: string[];
  /** Runs what is due; answers how much that was. */
  readonly elapse: () => number;
}

/** A tab that leads, over a disk that works; its engine fails to be fetched as often as this says. */
function unfetched(failures: number, start = (): void => undefined): Unfetched {
  const due = new Map<number, () => void>();
  const did: string[] = [];
  let [next, left] = [0, failures];
  const leading = startLeading({
    ports: {
      locks: null,
      timers: {
        set: (run) => {
          due.set(++next, run);
          return next;
        },
        clear: (timer) => void due.delete(timer as number),
      },
      report: (error) => did.push(String(error)),
    },
    store: { write: async () => undefined } as unknown as Store,
    // Nothing is wrong with the disk.
    care: async () => ({ failed: async () => expect.fail("the disk is well") }) as unknown as StorageCare,
    name: "olga",
    tab: "tab",
    say: () => undefined,
    lead: async () => {
      did.push("fetches");
      if (left-- > 0) throw new TypeError("bad line");
      return () => {
        did.push("starts");
        start();
        return async () => void did.push("stops");
      };
    },
    changed: () => undefined,
  });
  const elapse = (): number => {
    const all = [...due.values()];
    due.clear();
    for (const run of all) run();
    return all.length;
  };
  return { leading, did, elapse };
}

const BAD_LINE = "TypeError: bad line";

it("fetches the engine again where that failed, says so once, and starts it once", async () => {
  const { leading, did, elapse } = unfetched(2);
  await expect.poll(elapse).toBe(1);
  await expect.poll(elapse).toBe(1);
  await expect.poll(() => did.at(-1)).toBe("starts");
  expect(elapse()).toBe(0);
  await leading.close();
  expect(did).toEqual(["fetches", BAD_LINE, "fetches", "fetches", "starts", "stops"]);
});

it("fetches it once at a time, however often the lead changes meanwhile", async () => {
  const { leading, did, elapse } = unfetched(2);
  await expect.poll(() => did).toEqual(["fetches", BAD_LINE]);
  leading.dispatch({ type: "lost" });
  await expect.poll(() => did).toEqual(["fetches", BAD_LINE, "fetches"]);
  await expect.poll(elapse).toBe(1);
  await expect.poll(() => did.at(-1)).toBe("starts");
  leading.dispatch({ type: "lost" });
  await expect.poll(() => did.slice(3)).toEqual(["fetches", "starts", "stops", "fetches", "starts"]);
  expect(elapse()).toBe(0);
  await leading.close();
});

it("starts nothing that comes when it doesn't lead any more, and fetches nothing when it is closed", async () => {
  const { leading, did, elapse } = unfetched(1);
  await expect.poll(() => did).toEqual(["fetches", BAD_LINE]);
  leading.dispatch({ type: "frozen" });
  expect(elapse()).toBe(1);
  leading.dispatch({ type: "returned" });
  leading.dispatch({ type: "frozen" });
  await leading.close();
  expect(elapse()).toBe(0);
  expect(did).not.toContain("starts");
});

it("doesn't start again what was half started", async () => {
  const { leading, did, elapse } = unfetched(0, () => {
    throw new Error("a bug");
  });
  await expect.poll(() => did).toEqual(["fetches", "starts", "Error: a bug"]);
  expect(elapse()).toBe(0);
  await leading.close();
});

it("takes the lead from nobody who answers, however soon they are asked again", async () => {
  const due = new Map<number, () => void>();
  let [next, pings] = [0, 0];
  const asked: LockOptions[] = [];
  const leading = startLeading({
    ports: {
      locks: {
        request: (name: string, options: LockOptions) => {
          if (name === "olga") asked.push(options);
          return new Promise(() => undefined);
        },
      } as unknown as LockManager,
      timers: {
        set: (run) => {
          due.set(++next, run);
          return next;
        },
        clear: (timer) => void due.delete(timer as number),
      },
      report: (error) => expect(error).toBeUndefined(),
    },
    store: {} as Store,
    name: "olga",
    tab: "tab",
    say: () => (pings += 1),
    lead: async () => () => async () => undefined,
    changed: () => undefined,
  });
  leading.dispatch({ type: "looked" });
  const first = next;
  leading.dispatch({ type: "ponged" });
  leading.dispatch({ type: "looked" });
  // A second after the first question; the second is still on its way.
  due.get(first)?.();
  expect([pings, asked.length]).toEqual([2, 1]);
  due.get(next)?.();
  expect(asked.at(-1)).toEqual({ steal: true });
  await leading.close();
});

it("says that it connects where beginning is held up, as by one that hangs and keeps the disk, and no more when it begins", async () => {
  const due: (() => void)[] = [];
  const claimed = Promise.withResolvers<void>();
  const said: unknown[] = [];
  let leads = 0;
  const locks = {
    request: (_name: string, _options: unknown, given: () => unknown) => Promise.resolve().then(given),
    query: async () => ({}),
  };
  const leading = startLeading({
    ports: {
      locks: locks as unknown as Ports["locks"],
      timers: { set: (run) => due.push(run), clear: () => undefined },
      report: (error) => expect(error).toBeUndefined(),
    },
    store: { write: () => claimed.promise } as unknown as Store,
    ...toLead(() => {
      leads += 1;
      said.push(leading.paused());
    }),
    changed: () => said.push(leading.paused()),
  });
  await expect.poll(() => leading.isLeading()).toBe(true);
  expect(leading.paused()).toBeNull();
  for (const run of due) run();
  expect(leading.paused()).toEqual({ state: "connecting" });
  claimed.resolve();
  await expect.poll(() => leads).toBe(1);
  expect(said.slice(-3)).toEqual([{ state: "connecting" }, { state: "connecting" }, null]);
  await leading.close();
});
