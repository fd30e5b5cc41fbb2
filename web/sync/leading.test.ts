// Beginning to lead: over a disk that fails, and beside one who leads.
import { expect, it } from "vitest";
import type { Store } from "../store/store.ts";
import { startLeading } from "./leading.ts";
import type { StorageCare } from "./storage-care.ts";

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
    name: "olga",
    tab: "tab",
    say: () => undefined,
    lead: async () => {
      leads += 1;
      return async () => undefined;
    },
    changed: () => undefined,
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
    lead: async () => async () => undefined,
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
