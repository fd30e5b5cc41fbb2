import { expect, it } from "vitest";
import { cell } from "../store/source.ts";
import type { Loaded } from "../store/view.ts";
import type { Account } from "../sync/client.ts";
import type { Unsent } from "../sync/unsent.ts";
import { unsentNow } from "./unsent.ts";

it("[OP11] what waits is counted before anything is said of it: nobody enters over a queue that is still being read", async () => {
  const counts = cell<Loaded<Unsent>>({ state: "loading" });
  let lookers = 0;
  const view = {
    snapshot: counts.snapshot,
    subscribe: (listener: () => void) => {
      lookers += 1;
      const stop = counts.subscribe(listener);
      return () => {
        lookers -= 1;
        stop();
      };
    },
  };
  const answered: Unsent[] = [];
  const asked = unsentNow({ unsent: async () => view } as unknown as Account).then((unsent) => answered.push(unsent));
  await Promise.resolve();
  await Promise.resolve();
  expect([answered, lookers]).toEqual([[], 1]);
  const value: Unsent = { waiting: new Set(), refused: new Set(), draftCount: 2, unsyncedDraftCount: 1 };
  counts.set({ state: "ready", value });
  await asked;
  expect([answered, lookers]).toEqual([[value], 0]);
});
