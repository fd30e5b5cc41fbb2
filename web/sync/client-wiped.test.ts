// The database is taken away while the app runs: what waits is in the tab's memory, and is stored anew.
import { IDBFactory } from "fake-indexeddb";
import { describe, expect, it, vi } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { DeviceId, MessageId, OpId, WorkspaceId } from "#protocol/ids.ts";
import { besideDisk } from "../store/beside.ts";
import { openDatabase, settled } from "../store/database.ts";
import { openIndex } from "../store/index-database.ts";
import { openStore } from "../store/open-store.ts";
import { appendOp, readOutbox } from "../store/outbox.ts";
import { channelRoom, workspaceRoom } from "../store/rooms.ts";
import { MIGRATIONS, type OutboxRecord } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import {
  drain,
  GENERAL_ROOM,
  isLive,
  items,
  MARA,
  must,
  row,
  scene,
  secret,
  textsIn,
  withAQueue,
} from "../test/sim/scene.ts";
import { memoryNotes } from "../test/node-ports.ts";
import { GENERAL, type Device } from "../test/sim/world.ts";
import { openClient } from "./open-client.ts";
import { renumbered, restore } from "./restore.ts";

describe("a database that is deleted while the app runs", () => {
  it("keeps the person's choice to work offline, also for what delivers without a tab", async () => {
    const { world, olga, device } = await scene();
    must(await world.during(olga.workspace.commands.workOffline(true)));
    must(await world.during(olga.workspace.commands.post(GENERAL, "not yet")));
    await world.until("queued", () => items(olga).length === 1);
    await world.during(taken(device));
    await world.until("said", () => olga.client.update.snapshot().notice === "wiped");
    await world.until("shown", () => items(olga).length === 1);
    await world.pass(5_000);
    device.crash(olga);
    await world.during(device.deliver());
    const next = await world.during(device.open());
    const { connection } = next.workspace;
    await world.until("said", () => connection.snapshot().state === "offline");
    expect(connection.snapshot()).toMatchObject({ state: "offline", isChosen: true });
    expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
    must(await world.during(next.workspace.commands.workOffline(false)));
    await drain(world, next);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["not yet"]);
    await world.close();
  });

  it("[OP4] loses nothing that waits, keeps its order, and doubles nothing", async () => {
    const { world, olga, device } = await withAQueue();
    await world.during(taken(device));
    await world.until("said", () => olga.client.update.snapshot().notice === "wiped");
    await world.until("shown", () => items(olga).length === 2);
    const draft = olga.workspace.draft(GENERAL);
    await world.until("read again", () => draft.snapshot().state === "ready");
    expect(draft.snapshot()).toEqual({ state: "ready", value: "half a thought" });
    must(await world.during(olga.workspace.commands.post(GENERAL, "three")));
    expect(items(olga).map(({ change }) => (change.op === "message.post" ? change.args.text : change.op))).toEqual([
      "one",
      "two",
      "three",
    ]);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("live", () => isLive(olga));
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two", "three"]);
    await world.close();
  });

  it("has what the rooms hold again at once, though nobody writes anything", async () => {
    const { world, olga, device } = await scene();
    must(await world.during(olga.workspace.commands.post(GENERAL, "said")));
    await drain(world, olga);
    const timeline = olga.workspace.timeline(GENERAL);
    timeline.subscribe(() => undefined);
    const said = (): readonly string[] => {
      const now = timeline.snapshot();
      return now.state === "ready" ? now.messages.flatMap(({ system, text }) => (system ? [] : [text])) : [];
    };
    await world.until("shown", () => said().length === 1);
    await world.during(taken(device));
    await world.until("said", () => olga.client.update.snapshot().notice === "wiped");
    await world.pass(1_000, 50);
    const held = await world.during(withStore(device, (store) => store.read(["messages"], (tx) => tx.all("messages"))));
    expect(held.map(({ message }) => !message.deleted && message.text)).toContain("said");
    expect(said()).toEqual(["said"]);
    await world.close();
  });

  it("isn't up to date as of before, where nothing of it could come again", async () => {
    const { world, olga, device } = await scene();
    must(await world.during(olga.workspace.commands.post(GENERAL, "said")));
    await drain(world, olga);
    await world.pass(61_000, 500);
    expect(olga.workspace.liveAt.snapshot()).not.toBeNull();
    await world.during(taken(device));
    device.line.cut();
    await world.until("said", () => olga.client.update.snapshot().notice === "wiped");
    await world.pass(5_000, 100);
    expect(olga.workspace.liveAt.snapshot()).toBeNull();
    device.line.restore();
    olga.rig.happen("online");
    await world.until("live", () => isLive(olga));
    expect(olga.workspace.liveAt.snapshot()).not.toBeNull();
    await world.close();
  });

  it("loses nothing either of a workspace that this tab hasn't had on screen", async () => {
    const { world, olga, device } = await withAQueue();
    const elsewhere = channelRoom("v" as WorkspaceId, GENERAL);
    const change = { op: "message.post", args: { id: "m" as MessageId, text: "elsewhere" } } as const;
    await world.during(
      withStore(device, (store) =>
        store.write({ tables: ["outbox"], durability: "strict" }, (tx) =>
          appendOp(tx, { ...change, room: elsewhere, id: "op" as OpId, at: world.town.now }),
        ),
      ),
    );
    // Whoever leads looks at all that waits when it begins.
    await world.during(olga.client.close());
    const next = await world.during(device.open());
    await world.pass(5_000, 100);
    await world.during(taken(device));
    await world.until("said", () => next.client.update.snapshot().notice === "wiped");
    await world.pass(3_000, 100);
    const waiting = await world.during(withStore(device, (store) => store.read(["outbox"], readOutbox)));
    expect(waiting.map(({ room, args }) => [room, "text" in args ? args.text : ""])).toEqual(
      expect.arrayContaining([
        [GENERAL_ROOM, "one"],
        [GENERAL_ROOM, "two"],
        [elsewhere, "elsewhere"],
      ]),
    );
    await world.close();
  });

  it("takes nobody for signed out while the index is gone, and whoever signs out then for just that", async () => {
    const { world, olga, device } = await withAQueue();
    const state = (): string => olga.client.account.session.snapshot().state;
    await Promise.all([taken(device), removed(device, "causeway")]);
    // As a tab does that was opened meanwhile.
    device.openBus("causeway").send({ type: "session" });
    await world.until("said", () => olga.client.update.snapshot().notice === "wiped");
    await world.pass(1_000);
    expect([state(), items(olga).length]).toEqual(["signed-in", 2]);
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    const second = await world.during(device.open());
    must(await world.during(second.client.account.signOut("none")));
    await world.until("signed out in both", () => state() === "nobody");
    await world.close();
  });

  it("opens for whoever comes while the browser is still clearing, behind the tab that stores it anew", async () => {
    const { world, olga, device } = await withAQueue();
    const { databases } = device;
    const open = databases.open.bind(databases);
    const refused: string[] = [];
    databases.open = (name, ...how) => {
      if (refused.filter((each) => each === name).length < 3) {
        refused.push(name);
        throw new DOMException("The connection was closed.", "AbortError");
      }
      return open(name, ...how);
    };
    const second = await world.during(device.open());
    expect(new Set(refused).size).toBeGreaterThan(1);
    await world.until("read", () => items(second).length === 2);
    databases.open = () => {
      throw new DOMException("The connection was closed.", "AbortError");
    };
    await expect(world.during(device.open())).rejects.toThrow("The connection was closed.");
    databases.open = open;
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    await world.close();
  });

  it("goes on where it is taken away while it opens, before anything of the person's is shown", async () => {
    const { world, olga, device } = await scene();
    await world.during(olga.client.close());
    const index = await world.during(openIndex(device.databases));
    await world.during(besideDisk(index.begin!, await nameOf(device)).write({ places: {}, version: 1 }));
    const next = await world.during(openClient({ ...olga.rig.ports, putRight: () => taken(device) }));
    const workspace = next.open("team")!;
    must(await world.during(workspace.commands.post(GENERAL, "behind it")));
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "behind it");
    await world.during(next.close());
    index.close();
    await world.close();
  });

  it("waits for a browser that is still clearing, and refuses to open another", async () => {
    const { world, olga, device } = await withAQueue();
    const { databases } = device;
    const open = databases.open.bind(databases);
    let refusals = 3;
    databases.open = (...args) => {
      if (refusals-- > 0) throw new DOMException("The connection was closed.", "AbortError");
      return open(...args);
    };
    await world.during(taken(device));
    await world.until("said", () => olga.client.update.snapshot().notice === "wiped");
    expect(refusals).toBeLessThan(0);
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    await world.close();
  });

  it("keeps the places of what waits, and goes on behind all that tabs may remember: it may be taken once more", async () => {
    const db = await openDatabase(new IDBFactory(), "anew", MIGRATIONS, { onClosed: () => undefined });
    const nothing = { rooms: new Map(), entities: () => [], heads: new Map(), drafts: new Map() };
    const how = { newId: () => "device", isByChoice: false, lost: null };
    const from = (workspace: string, ops: readonly OutboxRecord[]): Promise<unknown> =>
      restore(db, { ...nothing, workspace: workspace as WorkspaceId, outbox: () => ops }, how);
    const start = Date.now();
    const now = vi.spyOn(Date, "now").mockReturnValue(start);
    await from("w", [op(11, "channel:w_a"), op(14, "channel:w_a", 1)]);
    // Of a tab that remembers what another took these places from, in the same moment.
    now.mockReturnValue(start + 1);
    await from("v", [op(11, "channel:v_a"), op(12, "channel:v_a")]);
    now.mockRestore();
    const { place: _place, ...next } = op(0, "channel:w_a");
    const outbox = db.transaction("outbox", "readwrite").objectStore("outbox");
    const last = await settled(outbox.add(next));
    const [one, other, third, fourth, ...more] = await settled(outbox.getAllKeys());
    expect([one, other, more]).toEqual([11, 14, [last]]);
    expect([third, fourth].every((place) => Number(place) > 14)).toBe(true);
    const stored = (await settled(outbox.getAll())) as OutboxRecord[];
    expect(stored.map(({ id }) => id)).toEqual(["op11", "op14", "op11", "op12", "op0"]);
    expect(Number(last)).toBeGreaterThan(1_000_000);
    db.close();
  });

  it("stores nothing once more that a tab which began anew has stored there, before it had the directory", async () => {
    const db = await openDatabase(new IDBFactory(), "anew", MIGRATIONS, { onClosed: () => undefined });
    const nothing = { rooms: new Map(), entities: () => [], heads: new Map(), drafts: new Map() };
    const tx = db.transaction("outbox", "readwrite").objectStore("outbox");
    await settled(tx.put(op(12, "channel:w_a")));
    // This tab has heard of that.
    const known = {
      ...nothing,
      workspace: "w" as WorkspaceId,
      outbox: () => [op(11, "channel:w_a"), op(12, "channel:w_a")],
    };
    await restore(db, known, { newId: () => "device", isByChoice: false, lost: null });
    const stored = (await settled(db.transaction("outbox").objectStore("outbox").getAll())) as OutboxRecord[];
    expect(stored.map(({ id }) => id).toSorted()).toEqual(["op11", "op12"]);
    db.close();
  });

  it("[SY4] asks for all of a directory that was coming anew, so that what went out of sight goes with the rest", async () => {
    const { world, olga, device } = await scene();
    const directory = workspaceRoom("w" as WorkspaceId);
    const gone = { kind: "channel", id: "gone", name: "gone", access: "public", rev: 1 } as unknown as Entity;
    await world.during(
      withStore(device, (store) =>
        store.write({ tables: ["rooms", "entities"], durability: "strict" }, async (tx) => {
          const room = (await tx.get("rooms", directory))!;
          tx.put("entities", { room: directory, generation: room.generation - 1, entity: gone });
          tx.put("rooms", { ...room, isSweeping: true });
        }),
      ),
    );
    await world.during(olga.client.close());
    device.line.cut();
    const next = await world.during(device.open());
    await world.until("listed", () => row(next, "gone") !== undefined);
    await world.during(taken(device));
    await world.until("said", () => next.client.update.snapshot().notice === "wiped");
    device.line.restore();
    next.rig.happen("online");
    await world.until("live", () => isLive(next));
    await world.until("gone", () => row(next, "gone") === undefined);
    expect(row(next, "general")).toBeDefined();
    await world.close();
  });

  it("[OP4] [OP10] what had a number of an older build keeps having one, of a device of its own", () => {
    let made = 0;
    const { ops, devices } = renumbered(
      [op(3, "a", 8), op(4, "b"), op(5, "a", 7), op(6, "a"), op(7, "b", 2)],
      () => `device${++made}`,
    );
    expect(ops.map(({ id, n }) => [id, n])).toEqual([
      ["op3", 2],
      ["op4", undefined],
      ["op5", 1],
      ["op6", undefined],
      ["op7", 1],
    ]);
    expect(devices.map(({ room, next }) => [room, next])).toEqual([
      ["b", 2],
      ["a", 3],
    ]);
  });

  it("[OP3] what had a number of which the device is known keeps both, and the next one comes behind it", () => {
    const device = "device0" as DeviceId;
    // The first of an older build, which didn't store it.
    const outbox = [op(3, "a", 6), { ...op(4, "a", 8), device }, { ...op(5, "a", 7), device }, op(6, "a")];
    const { ops, devices } = renumbered(outbox, () => expect.unreachable("none is needed"));
    expect(ops).toEqual(outbox);
    expect(devices).toEqual([{ room: "a", device, next: 9 }]);
  });

  it("[OP3] does nothing a second time over what another device did since", async () => {
    const { world, olga, device } = await scene();
    const { commands } = olga.workspace;
    const id = must(await world.during(commands.post(GENERAL, "the plan is A")));
    await drain(world, olga);
    const other = await world.device(device.user, "olga2");
    const beside = await world.during(other.open());
    await world.until("live", () => isLive(beside));
    device.line.deafen();
    must(await world.during(commands.edit(GENERAL, id, "the plan is B")));
    await world.until("done", () => textsIn(world, GENERAL_ROOM)[0] === "the plan is B");
    device.line.cut();
    must(await world.during(beside.workspace.commands.edit(GENERAL, id, "the plan is C")));
    await world.until("done", () => textsIn(world, GENERAL_ROOM)[0] === "the plan is C");
    await world.during(taken(device));
    await world.until("said", () => olga.client.update.snapshot().notice === "wiped");
    await world.until("shown", () => items(olga).length === 1);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("live", () => isLive(olga));
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["the plan is C"]);
    await world.close();
  });
});

it("a tab that was frozen while somebody signed in anew beside it puts back what nobody else has, once", async () => {
  const { world, olga, device } = await scene(1, memoryNotes());
  await world.during(olga.client.close());
  let isFrozen = false;
  const factory = new Proxy(device.databases, {
    get: (databases, key) => {
      if (key === "open" && isFrozen) throw new DOMException("The connection was closed.", "AbortError");
      const value: unknown = Reflect.get(databases, key);
      return typeof value === "function" ? value.bind(databases) : value;
    },
  });
  const frozen = await world.during(openClient({ ...olga.rig.ports, indexedDB: factory }));
  const workspace = frozen.open("team")!;
  for (const view of [workspace.connection, workspace.outbox]) view.subscribe(() => undefined);
  workspace.commands.look(GENERAL);
  await world.until("live", () => isLive({ workspace }));
  const id = must(await world.during(workspace.commands.post(GENERAL, "the plan is A")));
  await world.until("delivered", () => textsIn(world, GENERAL_ROOM).length === 1);
  device.line.cut();
  must(await world.during(workspace.commands.post(GENERAL, "one")));
  must(await world.during(workspace.commands.edit(GENERAL, id, "the plan is B")));
  must(await world.during(workspace.commands.setDraft(GENERAL, "half a thought")));
  const waiting = (): number => items({ workspace }).length;
  await world.until("queued", () => waiting() === 2);
  olga.rig.happen("freeze");
  isFrozen = true;
  await Promise.all([taken(device), removed(device, "causeway")]);
  device.line.restore();
  const beside = await world.during(device.open());
  await world.until("live", () => isLive(beside));
  // As many as there were before it, so that each place would have been taken once.
  const said = ["two", "three", "four", "five", "six", "seven"];
  for (const text of said) must(await world.during(beside.workspace.commands.post(GENERAL, text)));
  await drain(world, beside);
  isFrozen = false;
  olga.rig.happen("resume");
  await world.until("said", () => frozen.update.snapshot().notice === "wiped");
  await world.until("delivered", () => waiting() === 0 && items(beside).length === 0);
  await drain(world, beside);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["the plan is B", ...said, "one"]);
  const draft = beside.workspace.draft(GENERAL);
  await world.until("read", () => draft.snapshot().state === "ready");
  expect(draft.snapshot()).toEqual({ state: "ready", value: "half a thought" });
  await world.during(frozen.close());
  await world.close();
});

it("[OP3] what may have been done is tried again behind it without going over what another device did since", async () => {
  const { world, olga, mara, device, channel } = await secret();
  const { commands } = mara.workspace;
  const room = channelRoom("w" as WorkspaceId, channel);
  const text = (): string | undefined => textsIn(world, room)[0];
  const { changeMembers } = olga.workspace.commands;
  const id = must(await world.during(commands.post(channel, "the plan is A")));
  await drain(world, mara);
  device.line.deafen();
  must(await world.during(commands.edit(channel, id, "the plan is B")));
  await world.until("done", () => text() === "the plan is B");
  device.line.cut();
  must(await world.during(changeMembers(channel, { remove: [MARA] })));
  await drain(world, olga);
  device.line.restore();
  mara.rig.happen("online");
  await world.until("refused", () => items(mara).some(({ refusal }) => refusal?.maybeDelivered === true));
  device.line.cut();
  must(await world.during(changeMembers(channel, { add: [MARA] })));
  const beside = await world.during((await world.device(MARA, "mara2")).open());
  await world.until("seen", () => row(beside, "secret") !== undefined && isLive(beside));
  must(await world.during(beside.workspace.commands.edit(channel, id, "the plan is C")));
  await world.until("done", () => text() === "the plan is C");
  await world.during(taken(device));
  await world.until("said", () => mara.client.update.snapshot().notice === "wiped");
  device.line.restore();
  mara.rig.happen("online");
  await world.until("seen again", () => row(mara, "secret") !== undefined && items(mara).length === 1);
  must(await world.during(commands.retry(items(mara)[0]!.op)));
  await drain(world, mara);
  expect(text()).toBe("the plan is C");
  await world.close();
});

function op(place: number, room: string, n?: number): OutboxRecord {
  return {
    place,
    version: 1,
    id: `op${place}`,
    room,
    at: 1,
    op: "message.delete",
    args: { id: "m" },
    ...(n === undefined ? {} : { n }),
  } as OutboxRecord;
}

/** As the person's site data is cleared, or another page removes it. */
async function taken(device: Device): Promise<void> {
  return removed(device, await nameOf(device));
}

function removed({ databases }: Device, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = databases.deleteDatabase(name);
    request.addEventListener("success", () => resolve());
    request.addEventListener("error", () => reject(new Error("not deleted")));
  });
}

/** As another tab would, that says nothing of it. */
async function withStore<T>(device: Device, work: (store: Store) => Promise<T>): Promise<T> {
  const silent = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
  const store = await openStore(device.databases, await nameOf(device), silent, () => undefined);
  return work(store).finally(() => store.close());
}

/** Of the person's database. */
async function nameOf({ databases }: Device): Promise<string> {
  const known = (await databases.databases()).find(({ name }) => name?.startsWith("causeway/"));
  return known?.name ?? expect.unreachable("It is there.");
}
