// The service worker's part, in front of real rooms: what waits goes out over HTTP, with a tab beside it or without.
import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { settled } from "../store/database.ts";
import { searchDatabase } from "../store/remove-database.ts";
import { heldEvents, heldMessages, heldOps, messagesIn } from "../test/sim/verdict.ts";
import {
  drain,
  GENERAL_ROOM,
  isLive,
  items,
  MARA,
  maraOf,
  must,
  OLGA,
  row,
  scene,
  secret,
  textsIn,
  watch,
  type Scene,
} from "../test/sim/scene.ts";
import { GENERAL, type Device, type World } from "../test/sim/world.ts";

/** Writes while the line is cut, and closes the tab. */
async function writeAndLeave({ world, olga, device }: Scene, texts: readonly string[]): Promise<void> {
  device.line.cut();
  for (const text of texts) must(await world.during(olga.workspace.commands.post(GENERAL, text)));
  device.crash(olga);
}

/** What the service worker says when it is woken with the line back. */
function deliverOnline(world: World, device: Device): Promise<string> {
  device.line.restore();
  return world.during(device.deliver());
}

const named = (count: number, name = "m"): string[] => Array.from({ length: count }, (_, at) => `${name}${at}`);

describe("without a tab", () => {
  it("[OP8] what waits goes out over HTTP, once and in order, and the next opening shows it sent", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, named(5));
    expect(await deliverOnline(world, device)).toBe("done");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(named(5));
    expect(await world.during(heldOps(device))).toEqual([]);
    expect(world.calls.map(({ action }) => action)).toEqual(["POST ops"]);
    device.line.cut();
    const again = await world.during(device.open());
    const view = watch(again);
    await world.until("shown", () => view.texts().length === 5);
    expect(view.rows().every(({ delivery }) => delivery === "sent")).toBe(true);
    await world.close();
  });

  it("what others wrote before it counts as missed till it is here, and as unread then", async () => {
    const stage = await scene();
    const { world, device } = stage;
    const mara = await maraOf(world);
    must(await world.during(mara.workspace.commands.post(GENERAL, "seen")));
    await world.until("here", () => row(stage.olga, "general")?.isUnread === true);
    const seq = messagesIn(world, GENERAL_ROOM).at(-1)?.seq ?? 0;
    stage.olga.workspace.commands.markRead(GENERAL, seq);
    await drain(world, stage.olga);
    await writeAndLeave(stage, ["mine"]);
    for (const text of named(3)) must(await world.during(mara.workspace.commands.post(GENERAL, text)));
    await drain(world, mara);
    expect(await deliverOnline(world, device)).toBe("done");
    device.line.cut();
    const again = await world.during(device.open());
    const view = watch(again);
    await world.until("shown", () => view.texts().length === 2);
    expect(view.texts()).toEqual(["seen", "mine"]);
    expect(view.ready()).toMatchObject({ heardTo: seq });
    device.line.restore();
    await world.until("caught up", () => view.texts().length === 5);
    expect(view.ready()).toMatchObject({ heardTo: seq + 4, newSince: seq });
    expect(row(again, "general")?.isUnread).toBe(true);
    await world.close();
  });

  it("what became of it is in the event log", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, named(3));
    expect(await deliverOnline(world, device)).toBe("done");
    const noted = (await world.during(heldEvents(device))).map(({ what, count = 1 }) => `${count} ${what}`);
    expect(noted.slice(noted.indexOf("1 delivering"))).toEqual(["1 delivering", "3 sent", "3 delivered", "3 stored"]);
    await world.close();
  });

  it("[RV5] a channel that one left leaves nothing in what is kept for the search", async () => {
    const { world, mara, device, channel } = await secret();
    const kept = searchDatabase("causeway/causeway/mara");
    device.line.cut();
    must(await world.during(mara.workspace.commands.leaveChannel(channel)));
    device.crash(mara);
    const isKept = async (): Promise<boolean> =>
      (await world.during(device.databases.databases())).some(({ name }) => name === kept);
    const db = await world.during(settled(device.databases.open(kept)));
    db.close();
    expect(await isKept()).toBe(true);
    expect(await deliverOnline(world, device)).toBe("done");
    await world.pass(1_000);
    expect(await isKept()).toBe(false);
    await world.close();
  });

  it("what was written when is by the room's clock, though the device's is slow", async () => {
    const { world, olga: early, device } = await scene();
    await world.during(early.client.close());
    device.skewMs = -3_600_000;
    const olga = await world.during(device.open());
    await world.until("live", () => isLive(olga));
    await writeAndLeave({ world, olga, device }, ["at sea"]);
    const writtenAt = world.town.now;
    await world.pass(20 * 60_000, 5_000);
    expect(await deliverOnline(world, device)).toBe("done");
    const told = messagesIn(world, GENERAL_ROOM).flatMap((each) =>
      each.deleted || each.text !== "at sea" ? [] : [Math.abs((each.writtenAt ?? 0) - writtenAt)],
    );
    expect(told).toHaveLength(1);
    expect(told[0]).toBeLessThan(10_000);
    await world.close();
  });

  it("[OP10] woken where nothing answers it numbers nothing: what never left can be taken back without a trace", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, named(2));
    expect(await world.during(device.deliver())).toBe("later");
    expect((await world.during(heldOps(device))).map(({ n }) => n)).toEqual([undefined, undefined]);
    const again = await world.during(device.open());
    const [first] = items(again);
    expect(first).not.toHaveProperty("maybeDelivered");
    must(await world.during(again.workspace.commands.discard(first!.op, "draft")));
    device.line.restore();
    await drain(world, again);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["m1"]);
    expect(messagesIn(world, GENERAL_ROOM).filter(({ deleted }) => deleted)).toEqual([]);
    await world.close();
  });

  it("[OP8] [OP12] 200 ops over several rooms, with channels made offline among them", async () => {
    const stage = await scene();
    const { world, olga, device } = stage;
    device.line.cut();
    const { createChannel, post } = olga.workspace.commands;
    const rooms: RoomName[] = [];
    for (const name of ["crane", "dock", "mess"]) {
      const channel = must(await world.during(createChannel({ name, access: "public" })));
      for (const text of named(20, name)) must(await world.during(post(channel, text)));
      rooms.push(`channel:w_${channel}` as RoomName);
    }
    for (const text of named(137)) must(await world.during(post(GENERAL, text)));
    expect((await world.during(heldOps(device))).length).toBe(200);
    device.crash(olga);
    expect(await deliverOnline(world, device)).toBe("done");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(named(137));
    for (const [at, name] of ["crane", "dock", "mess"].entries()) {
      const room = rooms[at] as RoomName;
      expect(textsIn(world, room)).toEqual(named(20, name));
      expect((await world.during(heldMessages(device, room))).length).toBe(21);
    }
    expect(await world.during(heldOps(device))).toEqual([]);
    expect(world.granted.some((names) => names.length === 3)).toBe(true);
    // No call names a channel's room before the workspace knows the channel.
    const firstPlace = (room: string): number => world.calls.findIndex((call) => call.room === room);
    for (const room of rooms) expect(firstPlace(room)).toBeGreaterThan(firstPlace("workspace:w"));
    await world.close();
  });

  it("[OP3] [OP8] a batch whose answer was lost is answered again, and done once", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, named(3));
    world.interfere = () => device.line.cut();
    expect(await deliverOnline(world, device)).toBe("later");
    world.interfere = null;
    expect((await world.during(heldOps(device))).map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(await deliverOnline(world, device)).toBe("done");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(named(3));
    expect(await world.during(heldOps(device))).toEqual([]);
    await world.close();
  });

  it("[OP4] a room that forgot this device gets all of it again under new numbers", async () => {
    const stage = await scene();
    const { world, olga, device } = stage;
    must(await world.during(olga.workspace.commands.post(GENERAL, "before")));
    await drain(world, olga);
    await writeAndLeave(stage, named(3));
    const { rows } = world.town.at(GENERAL_ROOM).storage;
    for (const key of rows.keys()) if (key.startsWith("d:")) rows.delete(key);
    expect(await deliverOnline(world, device)).toBe("done");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["before", ...named(3)]);
    await world.close();
  });

  it("[OP9] what the room refuses waits for the person, and what is behind it goes", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, ["one", "two"]);
    const phone = await world.during((await world.device(OLGA, "phone")).open());
    await world.until("live", () => isLive(phone));
    must(await world.during(phone.workspace.commands.archiveChannel(GENERAL, true)));
    await drain(world, phone);
    await world.pass(1_000);
    expect(await deliverOnline(world, device)).toBe("done");
    expect((await world.during(heldOps(device))).map(({ refusal }) => refusal?.code)).toEqual(["archived", "archived"]);
    await world.close();
  });

  it("[AU2] [AU7] no network, or what isn't ours, is tried again later; nothing is lost by it", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, ["kept"]);
    expect(await world.during(device.deliver())).toBe("later");
    expect((await world.during(heldOps(device))).length).toBe(1);
    await world.close();
  });

  it("sends nothing while the person works offline", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, ["kept"]);
    await world.during(put(stage, "meta", { key: "workOffline", on: true }));
    expect(await deliverOnline(world, device)).toBe("left");
    expect(world.calls).toEqual([]);
    await world.close();
  });

  it("[OP11] sends nothing under another's session", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, ["olga's words"]);
    device.account = MARA;
    expect(await deliverOnline(world, device)).toBe("left");
    expect(world.calls).toEqual([]);
    device.account = device.user;
    expect(await world.during(device.deliver())).toBe("done");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["olga's words"]);
    await world.close();
  });

  it("leaves a database alone that a newer build has made", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, ["kept"]);
    await world.during(raise(device.databases, `causeway/causeway/${device.user}`));
    expect(await deliverOnline(world, device)).toBe("left");
    expect(world.calls).toEqual([]);
  });
});

describe("beside a tab", () => {
  it("[OP8] gives way to one that opens in the middle, and nothing is doubled or out of order", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, named(100));
    device.line.restore();
    const delivering = device.deliver();
    delivering.catch(() => undefined);
    await world.until("begun", () => world.calls.length > 0);
    const again = await world.during(device.open());
    await drain(world, again);
    await world.until("live", () => isLive(again));
    expect(await world.during(delivering)).toBe("done");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(named(100));
    await world.close();
  });

  it("[OP8] doesn't stand behind one for ever that says it is here and asks for no lock", async () => {
    const stage = await scene();
    const { world, device } = stage;
    await writeAndLeave(stage, named(3));
    const bus = device.openBus();
    let asked = 0;
    bus.listen((message) => {
      if ((message as { readonly type: string }).type !== "who") return;
      asked += 1;
      bus.send({ type: "look", tab: "one whose code doesn't come", workspace: "w", channel: null, isVisible: true });
    });
    expect(await deliverOnline(world, device)).toBe("done");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(named(3));
    expect(asked).toBeGreaterThan(1);
    bus.close();
    await world.close();
  });

  it("[OP8] tells one that leads that the network is back, and leaves the sending to it", async () => {
    const { world, olga, device } = await scene();
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "written in the dark")));
    expect(await deliverOnline(world, device)).toBe("done");
    expect(world.calls).toEqual([]);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["written in the dark"]);
    await world.close();
  });

  it("is over at once when a newer build takes over, whether it watches or delivers", async () => {
    const { world, olga, device } = await scene();
    device.line.hang();
    must(await world.during(olga.workspace.commands.post(GENERAL, "written in the dark")));
    for (const isAlone of [false, true]) {
      if (isAlone) device.crash(olga);
      const replaced = new AbortController();
      const delivering = device.deliver(replaced.signal);
      await world.pass(500);
      const from = world.town.now;
      replaced.abort();
      expect(await world.during(delivering)).toBe("later");
      expect(world.town.now - from).toBeLessThan(1_000);
    }
    device.line.restore();
    const again = await world.during(device.open());
    await world.until("sent", () => textsIn(world, GENERAL_ROOM).length > 0);
    await drain(world, again);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["written in the dark"]);
    await world.close();
  });

  it("[OP8] takes over when the tab that led is closed meanwhile", async () => {
    const { world, olga, device } = await scene();
    device.line.hang();
    must(await world.during(olga.workspace.commands.post(GENERAL, "written in the dark")));
    const delivering = device.deliver();
    await world.pass(500);
    device.crash(olga);
    device.line.restore();
    expect(await world.during(delivering)).toBe("done");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["written in the dark"]);
    await world.close();
  });
});

async function put({ device }: Scene, table: string, value: unknown): Promise<void> {
  const db = await opened(device.databases.open(`causeway/causeway/${device.user}`));
  const tx = db.transaction(table, "readwrite");
  tx.objectStore(table).put(value);
  await new Promise((resolve) => tx.addEventListener("complete", resolve));
  db.close();
}

async function raise(factory: IDBFactory, name: string): Promise<void> {
  (await opened(factory.open(name, 1_000))).close();
}

function opened(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("no answer from the database")));
  });
}
