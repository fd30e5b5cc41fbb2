// What is stored can't be read any more: it is made anew, and nothing that waits goes with it.
import { describe, expect, it } from "vitest";
import type { MessageId, WorkspaceId } from "#protocol/ids.ts";
import {
  drain,
  GENERAL_ROOM,
  isLive,
  items,
  must,
  scene,
  textsIn,
  watch,
  withAQueue,
  type Scene,
} from "../test/sim/scene.ts";
import { GENERAL } from "../test/sim/world.ts";
import { TABLES } from "../store/schema.ts";
import { rebuild, type Rebuilding } from "./rebuild.ts";

const TEAM = "w" as WorkspaceId;
/** Much less than the two minutes that a service worker may take. */
const SOON_MS = 15_000;

async function givenBy({ device }: Scene, more: Partial<Rebuilding>): Promise<Rebuilding> {
  const known = await device.databases.databases();
  const name = known.map(({ name = "" }) => name).find((each) => each.startsWith("causeway/")) ?? "";
  let made = 0;
  const newId = (): string => `anew-${++made}`;
  return {
    factory: device.databases,
    name,
    held: new Set(),
    workspaces: [TEAM],
    withoutUnread: false,
    newId,
    ...more,
  };
}

/** Something waits and is drafted, and no tab has it in memory. */
async function inNoTab(): Promise<Scene & { readonly given: Rebuilding }> {
  const made = await withAQueue();
  await made.world.during(made.olga.client.close());
  return { ...made, given: await givenBy(made, {}) };
}

/** As if the files of these tables were damaged, until it is undone. */
function damage(...tables: readonly string[]): () => void {
  return damageFor(["readonly"], ...tables);
}

function damageFor(modes: readonly IDBTransactionMode[], ...tables: readonly string[]): () => void {
  const begin = Object.getOwnPropertyDescriptor(IDBDatabase.prototype, "transaction");
  if (begin === undefined) throw new Error("no transactions to break");
  const unbroken = begin.value as IDBDatabase["transaction"];
  IDBDatabase.prototype.transaction = function transaction(names, mode = "readonly", options) {
    const asked = typeof names === "string" ? [names] : [...names];
    const isHit = modes.includes(mode) && this.name !== "causeway" && asked.some((each) => tables.includes(each));
    if (isHit) throw new DOMException("Internal error.", "UnknownError");
    return unbroken.call(this, names, mode, options);
  };
  return () => Object.defineProperty(IDBDatabase.prototype, "transaction", begin);
}

describe("a database that can't be read any more", () => {
  it("[OP4] is made anew with what a tab has in memory, whatever of it can't be read", async () => {
    const made = await withAQueue();
    const { world, olga, device } = made;
    const given = await givenBy(made, { held: new Set([TEAM]) });
    const undo = damage("outbox");
    expect(await world.during(rebuild(given).finally(undo))).toBe("done");
    await world.until("shown", () => items(olga).length === 2);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("live", () => isLive(olga));
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    await world.close();
  });

  it("[OP4] is made anew where nothing of it could be read for a while, and goes on from there", async () => {
    const made = await withAQueue();
    const { world, olga, device } = made;
    const given = await givenBy(made, { held: new Set([TEAM]) });
    const undo = damage(...Object.keys(TABLES));
    const view = watch(olga);
    await world.until("told", () => olga.client.update.snapshot().notice === "broken");
    device.line.restore();
    olga.rig.happen("online");
    await world.pass(10_000, 500);
    device.line.cut();
    await world.pass(10_000, 500);
    expect(await world.during(rebuild(given).finally(undo))).toBe("done");
    device.line.restore();
    olga.rig.happen("online");
    await world.until("live", () => isLive(olga));
    await drain(world, olga);
    await world.until("shown", () => view.texts().includes("two"));
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    expect(world.bugs).toEqual([]);
    await world.close();
  });

  it("[OP4] is made anew at the wish of a tab that follows, and one of the two leads", async () => {
    const made = await withAQueue();
    const { world, olga, device } = made;
    const second = await world.during(device.open());
    await world.until("read", () => items(second).length === 2);
    expect(await world.during(rebuild(await givenBy(made, { held: new Set([TEAM]) })))).toBe("done");
    await world.until("shown in both", () => [olga, second].every((tab) => items(tab).length === 2));
    must(await world.during(second.workspace.commands.post(GENERAL, "three")));
    device.line.restore();
    olga.rig.happen("online");
    await world.until("live", () => [olga, second].every(isLive), SOON_MS);
    await drain(world, olga);
    await drain(world, second);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two", "three"]);
    const leaders = [olga, second].filter(({ workspace }) => workspace.status.snapshot().isLeader);
    expect(leaders).toHaveLength(1);
    await world.close();
  });

  it("is live at once where the service worker stands in line to lead, over a database that is gone", async () => {
    const made = await withAQueue();
    const { world, olga, device } = made;
    const delivering = device.deliver();
    await world.pass(1_500);
    expect(await world.during(rebuild(await givenBy(made, { held: new Set([TEAM]) })))).toBe("done");
    device.line.restore();
    olga.rig.happen("online");
    await world.until("live", () => isLive(olga), SOON_MS);
    await drain(world, olga);
    expect(await world.during(delivering)).toBe("later");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    await world.close();
  });

  it("[OP4] is made anew with what can be read of it, where no tab has it in memory", async () => {
    const { world, device, given } = await inNoTab();
    const undo = damage("messages");
    expect(await world.during(rebuild(given).finally(undo))).toBe("reload");
    device.line.restore();
    const again = await world.during(device.open());
    const draft = again.workspace.draft(GENERAL);
    draft.subscribe(() => undefined);
    await world.until("read again", () => draft.snapshot().state === "ready");
    expect(draft.snapshot()).toEqual({ state: "ready", value: "half a thought" });
    await world.until("live", () => isLive(again));
    await drain(world, again);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    await world.close();
  });

  it("stays as it is where something unsent is neither in memory nor readable, until told twice", async () => {
    const { world, device, given } = await inNoTab();
    const undo = damage("outbox");
    expect(await world.during(rebuild(given).finally(undo))).toBe("unread");
    const still = await world.during(device.open());
    await world.until("kept", () => items(still).length === 2);
    await world.during(still.client.close());
    const undoAgain = damage("outbox");
    expect(await world.during(rebuild({ ...given, withoutUnread: true }).finally(undoAgain))).toBe("reload");
    const after = await world.during(device.open());
    expect(items(after)).toEqual([]);
    await world.close();
  });
});

it("says that a message isn't here, and why, where a link is followed to what can't be read", async () => {
  const { world, olga } = await scene();
  const { timeline } = watch(olga);
  const undo = damage("messages");
  expect(await world.during(timeline.goTo("m" as MessageId))).toBe(false);
  await world.until("told", () => olga.client.update.snapshot().notice === "broken").finally(undo);
  await world.close();
});

describe("signing out over a database that can't be read", () => {
  it("keeps what may wait in it, says so before, and sends it when the person is back", async () => {
    const made = await withAQueue();
    const { world, olga, device } = made;
    const undo = damage("outbox");
    const unsent = await world.during(olga.client.account.unsent());
    unsent.subscribe(() => undefined);
    await world.until("said", () => JSON.stringify(unsent.snapshot()).includes("isUnread"));
    device.line.restore();
    must(await world.during(olga.client.account.signOut("none")));
    expect(olga.client.account.session.snapshot().state).toBe("nobody");
    undo();
    await comesBack(made);
  });

  it("stores anew what waits where the rest can't be taken out of it", async () => {
    const made = await withAQueue();
    const { world, olga, device } = made;
    device.line.restore();
    const undo = damageFor(["readonly", "readwrite"], "messages");
    must(await world.during(olga.client.account.signOut("keep").finally(undo)));
    await comesBack(made);
  });
});

async function comesBack({ world, olga, device }: Scene): Promise<void> {
  await world.during(olga.client.close());
  const again = await world.during(device.open());
  await world.until("live", () => isLive(again));
  await drain(world, again);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
  await world.close();
}
