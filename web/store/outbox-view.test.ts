// What the Outbox says of what waits, and offers of it.
import { expect, it } from "vitest";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import type { Liveness } from "./liveness.ts";
import { memoryBackend } from "./memory.ts";
import { outboxView } from "./outbox-view.ts";
import { openReplica } from "./replica.ts";
import { createStore } from "./store.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

/** Whether it is said of each that it may stand, and whether it may be taken back. */
async function offered(isFlowing: boolean, ...ops: readonly Waiting[]): Promise<readonly (readonly boolean[])[]> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => {
    for (const op of outboxOf(...ops)) await tx.add("outbox", op);
  });
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  await replica.loaded;
  const line = {
    subscribe: () => () => undefined,
    version: () => 0,
    isFlowing: () => isFlowing,
    connection: () => (isFlowing ? { state: "live" } : { state: "offline", retryAt: null }),
    liveAt: () => null,
  } satisfies Liveness;
  const shown = outboxView(replica, line).snapshot();
  if (shown.state !== "ready") throw new Error("The replica is loaded, and the view isn't.");
  return shown.value.items.map(({ maybeDelivered, mayTakeBack }) => [maybeDelivered === true, mayTakeBack]);
}

const pin: Waiting = { op: "message.pin", args: { id: "m", on: true } };
const deletion: Waiting = { op: "message.delete", args: { id: "m" } };

it.each([
  ["one without a number", [post("m")], [[false, true]]],
  ["one that may stand", [{ ...post("m"), maybeDelivered: true }], [[true, true]]],
  ["one with a number", [{ ...post("m"), n: 7 }], [[true, true]]],
  [
    "not one that is deleted already",
    [{ ...post("m"), n: 7 }, deletion],
    [
      [true, false],
      [false, true],
    ],
  ],
  [
    "one that couldn't be deleted",
    [
      { ...post("m"), n: 7 },
      { ...deletion, refusal: REFUSED },
    ],
    [
      [true, true],
      [false, false],
    ],
  ],
  ["a change without a number", [pin], [[false, true]]],
  ["not one that may stand", [{ ...pin, maybeDelivered: true }], [[true, false]]],
  ["nor one with a number", [{ ...pin, n: 7 }], [[true, false]]],
] as const)("[OP10] taken back may be: %s", async (_, ops, shown) => {
  expect(await offered(false, ...ops)).toEqual(shown);
});

it("[OP10] what is on its way just now isn't taken back: in a moment it is known to be there", async () => {
  expect(await offered(true, { ...post("m"), n: 7 }, post("next"))).toEqual([
    [false, false],
    [false, true],
  ]);
});
