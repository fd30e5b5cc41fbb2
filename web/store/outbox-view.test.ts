// What the Outbox says of what waits, and offers of it.
import { expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { DIRECTORY, outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { putEntity } from "./entities.ts";
import type { Liveness } from "./liveness.ts";
import { memoryBackend } from "./memory.ts";
import { outboxView } from "./outbox-view.ts";
import { openReplica } from "./replica.ts";
import type { OutboxItem } from "./snapshots.ts";
import { createStore } from "./store.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

/** @param entities of the directory */
async function shownOf(
  isFlowing: boolean,
  ops: readonly Waiting[],
  entities: readonly Entity[] = [],
): Promise<readonly OutboxItem[]> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox", "entities"], durability: "strict" }, async (tx) => {
    for (const op of outboxOf(...ops)) await tx.add("outbox", op);
    for (const entity of entities) await putEntity(tx, DIRECTORY, 0, entity);
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
  return shown.value.items;
}

/** Whether it is said of each that it may stand, and whether it may be taken back. */
async function offered(isFlowing: boolean, ...ops: readonly Waiting[]): Promise<readonly (readonly boolean[])[]> {
  const items = await shownOf(isFlowing, ops);
  return items.map(({ maybeDelivered, mayTakeBack }) => [maybeDelivered === true, mayTakeBack]);
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

const GENERAL = { kind: "channel", id: "c", rev: 1, access: "public", name: "general" };
const IN_IT = { kind: "membership", id: "c.olga", rev: 1, channel: "c", user: "olga" };
const SELF = { kind: "member", id: "olga", rev: 1, role: "member", name: "Olga" };
const NO_ADMIN = { code: "forbidden", detail: "Only admins may post here." } as const;
const ARCHIVED = { code: "archived", detail: "#general is archived." } as const;

it.each<[string, boolean, Waiting, readonly object[], boolean]>([
  ["a post where all post again", true, { ...post("m"), refusal: NO_ADMIN }, [GENERAL, IN_IT, SELF], true],
  ["not before that is heard", false, { ...post("m"), refusal: NO_ADMIN }, [GENERAL, IN_IT, SELF], false],
  [
    "not while it stands",
    true,
    { ...post("m"), refusal: NO_ADMIN },
    [{ ...GENERAL, posting: "admins" }, IN_IT, SELF],
    false,
  ],
  [
    "nor of what nobody else may do",
    true,
    { op: "message.edit", args: { id: "m", text: "x", base: 1 }, refusal: NO_ADMIN },
    [GENERAL, IN_IT, SELF],
    false,
  ],
  ["a channel that is open again", true, { ...pin, refusal: ARCHIVED }, [GENERAL, SELF], true],
  [
    "not one that is archived",
    true,
    { ...pin, refusal: ARCHIVED },
    [{ ...GENERAL, archivedAt: 1 }, IN_IT, SELF],
    false,
  ],
  ["nor one that is gone", true, { ...pin, refusal: ARCHIVED }, [SELF], false],
])("what something was refused for is past: %s", async (_, isFlowing, op, entities, isPast) => {
  const [item] = await shownOf(isFlowing, [op], entities as Entity[]);
  expect(item?.isReasonPast === true).toBe(isPast);
});
