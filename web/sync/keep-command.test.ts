// What the button in the settings does: the browser is asked to protect the storage, and what it answers is handed back.
import { expect, it } from "vitest";
import { ok } from "#protocol/result.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import { openReplica } from "../store/replica.ts";
import { createStore } from "../store/store.ts";
import type { CommandDeps } from "./commands.ts";
import { keepCommand } from "./keep-command.ts";
import type { DeviceStorage } from "./ports.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

function keepOn(storage: DeviceStorage | null) {
  const store = createStore(memoryBackend(), quiet);
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  return keepCommand({ store, replica, ports: { storage } } as unknown as CommandDeps);
}

it.each([true, false])(
  "protection is asked for each time one asks, and the answer is the browser's: %s",
  async (answer) => {
    let asked = 0;
    const keep = keepOn({
      estimate: async () => ({}),
      persisted: async () => false,
      persist: async () => {
        asked += 1;
        return answer;
      },
    });
    expect(asked).toBe(0);
    expect(await keep({ do: "protect" })).toEqual(ok(answer));
    expect(await keep({ do: "protect" })).toEqual(ok(answer));
    expect(asked).toBe(2);
  },
);

it.each<[string, DeviceStorage | null]>([
  ["that can't be asked", { estimate: async () => ({}), persisted: async () => false }],
  ["that tells nothing of its storage", null],
])("in a browser %s the answer is no", async (_what, storage) => {
  expect(await keepOn(storage)({ do: "protect" })).toEqual(ok(false));
});
