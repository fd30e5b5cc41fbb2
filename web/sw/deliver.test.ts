import { expect, it, vi } from "vitest";
import type { Flushed } from "../sync/flush-room.ts";
import { deliversOnSync, type Deliverer, type SyncEvent } from "./deliver.ts";

interface Made {
  readonly deliverer: Deliverer;
  readonly registration: { waiting: object | null };
  /** How often a delivery began. */
  readonly begun: () => number;
  /** What became of a tag. */
  readonly sync: () => Promise<string>;
}

/** A worker whose database can't be opened: a delivery that begins fails with that, where none is given. */
function make(begin?: () => Promise<Flushed>): Made {
  let begun = 0;
  const registration: Made["registration"] = { waiting: null };
  const worker = {
    registration,
    location: { origin: "https://team.example" },
    navigator: {},
    get indexedDB() {
      begun += 1;
      return {
        open: () => {
          throw new Error("no database here");
        },
      };
    },
  } as unknown as ServiceWorkerGlobalScope;
  const deliverer = deliversOnSync(worker, begin);
  const sync = (): Promise<string> =>
    new Promise((resolve) => {
      const waitUntil = (work: Promise<void>): void =>
        void work.then(
          () => resolve("done"),
          (error: Error) => resolve(error.message),
        );
      deliverer.onSync({ tag: "outbox-1", lastChance: false, waitUntil } as unknown as SyncEvent);
    });
  return { deliverer, registration, begun: () => begun, sync };
}

it("[CF2] a worker that is being replaced begins no delivery: the newer one would be kept waiting for it", async () => {
  const { deliverer, registration, begun, sync } = make();
  registration.waiting = {};
  deliverer.giveWay();
  expect(await sync()).toBe("not all could be delivered yet");
  expect(begun()).toBe(0);
});

it("[OP8] but it delivers while a newer one only waits, and the newest does, though a second tab tells it to give way", async () => {
  const waiting = make();
  waiting.registration.waiting = {};
  expect(await waiting.sync()).toBe("no database here");
  const newest = make();
  newest.deliverer.giveWay();
  expect(await newest.sync()).toBe("no database here");
  newest.registration.waiting = {};
  expect(await newest.sync()).toBe("no database here");
});

it("[OP8] nor does it stop for good where the newer one comes to nothing", async () => {
  const { deliverer, registration, sync } = make();
  registration.waiting = {};
  deliverer.giveWay();
  registration.waiting = null;
  expect(await sync()).toBe("no database here");
});

it("[OP8] what comes while a delivery is under way that has no network isn't used up with it", async () => {
  const ends: ((flushed: Flushed) => void)[] = [];
  const { sync } = make(() => new Promise((resolve) => ends.push(resolve)));
  const [first, second, third] = [sync(), sync(), sync()];
  ends[0]!("later");
  expect(await first).toBe("not all could be delivered yet");
  await vi.waitUntil(() => ends.length === 2);
  ends[1]!("done");
  expect([await second, await third, ends.length]).toEqual(["done", "done", 2]);
  // Where all went there is nothing to begin again.
  const both = [sync(), sync()];
  ends[2]!("done");
  expect([...(await Promise.all(both)), ends.length]).toEqual(["done", "done", 3]);
});
