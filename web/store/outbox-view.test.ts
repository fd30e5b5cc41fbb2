// What the Outbox says of what waits, and offers of it.
import { expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { CHANNEL, DIRECTORY, outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { putEntity } from "./put-entities.ts";
import type { Liveness } from "./liveness.ts";
import { memoryBackend } from "./memory.ts";
import { outboxView } from "./outbox-view.ts";
import { openReplica } from "./replica.ts";
import type { OutboxItem } from "./snapshots.ts";
import type { RoomRecord } from "./schema.ts";
import { createStore } from "./store.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

/** @param entities of the directory */
async function shownOf(
  isFlowing: boolean,
  ops: readonly Waiting[],
  entities: readonly Entity[] = [],
  rooms: readonly RoomRecord[] = [],
): Promise<readonly OutboxItem[]> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox", "entities", "rooms"], durability: "strict" }, async (tx) => {
    for (const op of outboxOf(...ops)) await tx.add("outbox", op);
    for (const entity of entities) await putEntity(tx, DIRECTORY, 0, entity);
    for (const room of rooms) tx.put("rooms", room);
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
const REFUSED_PIN = { ...pin, refusal: { code: "forbidden", detail: "You may not pin messages here." } } as const;
const GUEST = { ...SELF, role: "guest" };
const ADMIN = { ...SELF, role: "admin" };
const OWNER = { kind: "member", id: "mara", rev: 1, role: "owner", name: "Mara" };
const forbiddenTo = (op: Waiting["op"], args: object): Waiting => ({ op, args, refusal: NO_ADMIN });
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
  ["a pin of whoever is a member again", true, REFUSED_PIN, [GENERAL, IN_IT, SELF], true],
  ["not before that is heard", false, REFUSED_PIN, [GENERAL, IN_IT, SELF], false],
  ["nor a guest's", true, REFUSED_PIN, [GENERAL, IN_IT, GUEST], false],
  ["nor where it's archived by now", true, REFUSED_PIN, [{ ...GENERAL, archivedAt: 1 }, IN_IT, SELF], false],
  ["pins need no posting", true, REFUSED_PIN, [{ ...GENERAL, posting: "admins" }, IN_IT, SELF], true],
  ["an admin's deletion", true, forbiddenTo("message.delete", { id: "m" }), [GENERAL, IN_IT, ADMIN], true],
  ["not a member's", true, forbiddenTo("message.delete", { id: "m" }), [GENERAL, IN_IT, SELF], false],
  ["an admin's archiving", true, forbiddenTo("channel.archive", { id: "c", on: true }), [GENERAL, ADMIN], true],
  ["not a member's", true, forbiddenTo("channel.archive", { id: "c", on: true }), [GENERAL, SELF], false],
  [
    "a private channel's creator archives it",
    true,
    forbiddenTo("channel.archive", { id: "c", on: true }),
    [{ ...GENERAL, access: "private", createdBy: "olga" }, IN_IT, SELF],
    true,
  ],
  ["an admin's renaming", true, forbiddenTo("channel.update", { id: "c", name: "x" }), [GENERAL, ADMIN], true],
  ["not a member's", true, forbiddenTo("channel.update", { id: "c", name: "x" }), [GENERAL, SELF], false],
  ["a member's topic", true, forbiddenTo("channel.update", { id: "c", topic: "x" }), [GENERAL, SELF], true],
  ["not a guest's", true, forbiddenTo("channel.update", { id: "c", topic: "x" }), [GENERAL, GUEST], false],
  [
    "an admin's taking out",
    true,
    forbiddenTo("channel.members", { id: "c", add: [], remove: ["x"] }),
    [GENERAL, ADMIN],
    true,
  ],
  ["not a member's", true, forbiddenTo("channel.members", { id: "c", add: [], remove: ["x"] }), [GENERAL, SELF], false],
  ["a member's creation", true, forbiddenTo("channel.create", { id: "n", name: "n", access: "public" }), [SELF], true],
  ["not a guest's", true, forbiddenTo("channel.create", { id: "n", name: "n", access: "public" }), [GUEST], false],
  [
    "an owner's change of a role",
    true,
    forbiddenTo("member.role", { user: "mara", role: "member" }),
    [{ ...SELF, role: "owner" }, OWNER],
    true,
  ],
  [
    "not an admin's of an owner",
    true,
    forbiddenTo("member.role", { user: "mara", role: "member" }),
    [ADMIN, OWNER],
    false,
  ],
])("what something was refused for is past: %s", async (_, isFlowing, op, entities, isPast) => {
  const [item] = await shownOf(isFlowing, [op], entities as Entity[]);
  expect(item?.isReasonPast === true).toBe(isPast);
});

it.each([
  ["as a member's may", ["read", "write", "pin"], true],
  ["not as it was while one was a guest", ["read", "write"], false],
])("a refused pin may go again once its channel's room says so too: %s", async (_, can, isPast) => {
  const room = { name: CHANNEL, you: { user: "olga", role: "member", can } } as unknown as RoomRecord;
  const [item] = await shownOf(true, [REFUSED_PIN], [GENERAL, IN_IT, SELF] as Entity[], [room]);
  expect(item?.isReasonPast === true).toBe(isPast);
});
