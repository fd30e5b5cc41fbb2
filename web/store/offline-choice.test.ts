// What is heard of the choice to work offline, against what is stored.
import { expect, test } from "vitest";
import { memoryBackend } from "./memory.ts";
import { watchOfflineChoice } from "./offline-choice.ts";
import { createStore, type Bus, type Store } from "./store.ts";
import { putWorkOffline } from "./work-offline.ts";

/** Two tabs of one database; what the first says, the second hears when it is told to. */
function tabs(): { readonly far: Store; readonly near: Store; readonly arrive: () => void } {
  const backend = memoryBackend();
  const [said, heard] = [new Array<unknown>(), new Set<(message: unknown) => void>()];
  const bus = (more: Partial<Bus>): Bus => ({
    send: () => undefined,
    listen: () => () => undefined,
    close: () => undefined,
    ...more,
  });
  return {
    far: createStore(backend, bus({ send: (message) => void said.push(message) })),
    near: createStore(
      backend,
      bus({
        listen: (listener) => {
          heard.add(listener);
          return () => heard.delete(listener);
        },
      }),
    ),
    arrive: () => {
      for (const message of said.splice(0)) for (const listener of heard) listener(message);
    },
  };
}

const choose = (store: Store, on: boolean): Promise<void> =>
  store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putWorkOffline(tx, on));

for (const last of [true, false]) {
  test(`a tab that chose ${String(last)} last keeps to it, where another's older choice is heard of behind that`, async () => {
    const { far, near, arrive } = tabs();
    const choice = watchOfflineChoice(near, () => undefined);
    await expect.poll(choice.now).toBe(false);
    await choose(far, !last);
    await choose(near, last);
    arrive();
    await expect.poll(choice.now).toBe(last);
    choice.stop();
  });
}

test("a choice that was heard of while an older reading is on its way isn't undone by it", async () => {
  const { far, near, arrive } = tabs();
  const choice = watchOfflineChoice(near, () => undefined);
  await choose(far, true);
  arrive();
  await expect.poll(choice.now).toBe(true);
  await choose(far, false);
  await choose(far, true);
  arrive();
  await expect.poll(choice.now).toBe(true);
  choice.stop();
});
