// What is stored can't be read any more: it is made anew, and nothing that waits goes with it.
import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#protocol/ids.ts";
import { drain, GENERAL_ROOM, isLive, items, must, scene, textsIn, watch, type Scene } from "../test/sim/scene.ts";
import { GENERAL } from "../test/sim/world.ts";
import { TABLES } from "../store/schema.ts";
import { rebuild, type Rebuilding } from "./rebuild.ts";

const TEAM = "w" as WorkspaceId;

async function withAQueue(): Promise<Scene> {
  const made = await scene();
  const { world, olga, device } = made;
  device.line.cut();
  for (const text of ["one", "two"]) must(await world.during(olga.workspace.commands.post(GENERAL, text)));
  must(await world.during(olga.workspace.commands.setDraft(GENERAL, "half a thought")));
  await world.pass(100);
  return made;
}

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

/** As if the files of this table were damaged, until it is undone. */
function damage(...tables: readonly string[]): () => void {
  const begin = Object.getOwnPropertyDescriptor(IDBDatabase.prototype, "transaction");
  if (begin === undefined) throw new Error("no transactions to break");
  const unbroken = begin.value as IDBDatabase["transaction"];
  IDBDatabase.prototype.transaction = function transaction(names, mode = "readonly", options) {
    const asked = typeof names === "string" ? [names] : [...names];
    const isHit = mode === "readonly" && this.name !== "causeway" && asked.some((each) => tables.includes(each));
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
