// History as it comes to a device, and goes on in the background.
import { describe, expect, it } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { isAlike } from "#protocol/alike.ts";
import { type Device, GENERAL, type Tab, World } from "../test/sim/world.ts";
import { heldMessages, messagesIn } from "../test/sim/verdict.ts";
import { drain, GENERAL_ROOM, MARA, must, OLGA, scene, watch, type Watched } from "../test/sim/scene.ts";
import { settled } from "../store/database.ts";
import { uuidv7 } from "./uuid.ts";

const IN_TEN_DAYS_MS = 10 * 24 * 3_600_000;

/** As a tab does that takes the lead over. */
async function writeLeader(device: Device, tab: string): Promise<void> {
  const db = await settled(device.databases.open("causeway/causeway/olga"));
  await settled(db.transaction("meta", "readwrite").objectStore("meta").put({ key: "leader", tab }));
  db.close();
}

describe("history", () => {
  async function full(count: number): Promise<World> {
    const world = await World.make(7);
    const writer = await world.during(world.team.enter(OLGA));
    for (let i = 0; i < count; i++) {
      if (i % 100 === 99) await world.town.pass(6_000);
      await writer.post(`message ${i}`);
    }
    await world.pass(2_000);
    return world;
  }

  /** Olga has all of it on her device, and stands at the newest. */
  async function whole(count: number): Promise<{ world: World; device: Device; olga: Tab; view: Watched }> {
    const world = await full(count);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    await world.until("complete", async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length > count);
    const view = watch(olga);
    await world.until("the newest", () => view.texts().at(-1) === `message ${count - 1}`);
    return { world, device, olga, view };
  }

  it("[SY4] [SY6] the newest are there at once, and the rest comes without being asked for", async () => {
    const world = await full(450);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    const view = watch(olga);
    await world.until("the newest", () => view.texts().at(-1) === "message 449");
    expect(view.rows().length).toBeLessThan(150);
    await world.until("complete", async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length >= 451);
    for (let i = 0; i < 8; i++) {
      view.timeline.loadOlder();
      await world.pass(200);
    }
    expect(view.texts()).toEqual(Array.from({ length: 450 }, (_, i) => `message ${i}`));
    expect(view.ready()).toMatchObject({ older: "nothing", newer: "nothing" });
    device.line.cut();
    const anew = watch(olga);
    await world.during(anew.timeline.settled());
    expect(anew.texts().at(-1)).toBe("message 449");
    await world.close();
  });

  it("says while it is cut off that the rest waits for a connection, or for whoever chose that, and goes on", async () => {
    const world = await full(250);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    const view = watch(olga);
    const { readiness } = olga.workspace;
    readiness.subscribe(() => undefined);
    const filling = (): unknown => {
      const now = readiness.snapshot();
      return now.state === "ready" && now.value.readyCount === 0 ? now.value.filling : null;
    };
    await world.until("the newest", () => view.texts().at(-1) === "message 249");
    device.line.cut();
    await world.until("paused", () => isAlike(filling(), { state: "paused", why: "offline", until: null }));
    await world.pass(60_000, 500);
    expect(filling()).toEqual({ state: "paused", why: "offline", until: null });
    const { workOffline } = olga.workspace.commands;
    must(await world.during(workOffline(true)));
    await world.until("chosen", () => isAlike(filling(), { state: "paused", why: "chosen", until: null }));
    must(await world.during(workOffline(false)));
    await world.until("no connection", () => isAlike(filling(), { state: "paused", why: "offline", until: null }));
    device.line.restore();
    await world.until("all of it", () => {
      const now = readiness.snapshot();
      return now.state === "ready" && now.value.readyCount === 1 && now.value.filling.state === "done";
    });
    await world.close();
  });

  it("[SY4] far behind, what was held stays, is checked, and the hole fills", async () => {
    const world = await full(150);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    await world.until("complete", async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length >= 151);
    device.line.cut();
    const writer = await world.during(world.team.enter(OLGA));
    const first = messagesIn(world, GENERAL_ROOM)[5];
    await writer.op("message.edit", { id: first?.id, text: "edited meanwhile", base: 0 });
    for (let i = 0; i < 5_200; i++) {
      if (i % 20 === 0) await world.town.pass(1_000);
      await writer.post(`later ${i}`);
    }
    device.line.restore();
    olga.rig.happen("online");
    const view = watch(olga);
    await world.until("the newest", () => view.texts().at(-1) === "later 5199");
    // Who stands at the newest is spared what fills the hole.
    view.timeline.trim();
    const shown = view.rows().length;
    expect(shown).toBeLessThanOrEqual(100);
    const room = messagesIn(world, GENERAL_ROOM);
    await world.until(
      "all of it",
      async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length === room.length,
      600_000,
    );
    const held = await world.during(heldMessages(device, GENERAL_ROOM));
    expect(held.map(({ seq, rev }) => [seq, rev])).toEqual(room.map(({ seq, rev }) => [seq, rev]));
    expect(view.rows()).toHaveLength(shown);
    view.timeline.loadOlder();
    await world.pass(200);
    const from = 5_200 - shown - 100;
    expect(view.texts()).toEqual(Array.from({ length: shown + 100 }, (_, i) => `later ${from + i}`));
    await world.close();
  }, 60_000);

  it("goes to a message that is held, and back to the newest", async () => {
    const { world, view } = await whole(300);
    const wanted = messagesIn(world, GENERAL_ROOM)[40];
    if (wanted === undefined) throw new Error("no such message");
    expect(await world.during(view.timeline.goTo(wanted.id))).toBe(true);
    expect(view.rows().some(({ id }) => id === wanted.id)).toBe(true);
    expect(view.ready()).toMatchObject({ newer: "more" });
    view.timeline.goToNewest();
    await world.until("newest", () => view.texts().at(-1) === "message 299");
    expect(view.ready()).toMatchObject({ newer: "nothing" });
    await world.close();
  });

  it("shows nothing else on the way to a message that is held, whatever comes meanwhile", async () => {
    const { world, olga } = await whole(300);
    const wanted = messagesIn(world, GENERAL_ROOM)[40];
    if (wanted === undefined) throw new Error("no such message");
    const { timeline, ready, rows } = watch(olga);
    const shown: boolean[] = [];
    timeline.subscribe(() => ready() !== null && shown.push(rows().some(({ id }) => id === wanted.id)));
    const going = timeline.goTo(wanted.id);
    must(await world.during(olga.workspace.commands.post(GENERAL, "meanwhile")));
    expect(await world.during(going)).toBe(true);
    expect(new Set(shown)).toEqual(new Set([true]));
    await world.close();
  });

  it("shows the newest on the way to a message that isn't here yet once it is told to, and then that message", async () => {
    const world = await full(450);
    const olga = await world.during((await world.device(OLGA)).open());
    const wanted = messagesIn(world, GENERAL_ROOM)[10];
    if (wanted === undefined) throw new Error("no such message");
    const { timeline, ready, rows, texts } = watch(olga);
    const going = timeline.goTo(wanted.id);
    await world.until("live", () => olga.workspace.connection.snapshot().state === "live");
    expect(ready()).toBeNull();
    timeline.stay();
    await world.until("the newest", () => texts().at(-1) === "message 449");
    expect(ready()).toMatchObject({ isOnWay: true });
    expect(await world.during(going)).toBe(true);
    expect(ready()).toMatchObject({ isOnWay: false });
    expect(rows().some(({ id }) => id === wanted.id)).toBe(true);
    await world.close();
  });

  it("[OP8] goes on by itself where another tab took the lead in the middle of it, and left", async () => {
    const world = await full(450);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    const heldCount = async (): Promise<number> => (await world.during(heldMessages(device, GENERAL_ROOM))).length;
    await world.until("filling", async () => (await heldCount()) > 100);
    await world.during(writeLeader(device, "another tab"));
    expect(await heldCount()).toBeLessThan(450);
    await world.until("complete", async () => (await heldCount()) > 450);
    expect(olga.workspace.status.snapshot().isLeader).toBe(true);
    await world.close();
  });

  it("shows the newest when one leaves the way to a message before anything is shown on it", async () => {
    const world = await full(450);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    const { timeline, ready, texts } = watch(olga);
    const going = timeline.goTo(messagesIn(world, GENERAL_ROOM)[10]!.id);
    await world.until("live", () => olga.workspace.connection.snapshot().state === "live");
    expect(ready()).toBeNull();
    timeline.leaveWay();
    await world.until("the newest", () => texts().at(-1) === "message 449");
    await world.until("complete", async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length > 450);
    expect(await world.during(going)).toBe(true);
    expect(ready()).toMatchObject({ isOnWay: false, newer: "nothing" });
    expect(texts()).not.toContain("message 9");
    await world.close();
  });

  /** Olga's device keeps the newest alone, and has freed the rest. */
  async function newestOnly(count: number): Promise<{ world: World; device: Device; olga: Tab }> {
    const world = await full(count);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    must(await world.during(olga.workspace.commands.keep({ do: "limit-channel", channel: GENERAL, days: 0 })));
    await world.pass(60_000);
    expect((await world.during(heldMessages(device, GENERAL_ROOM))).length).toBeLessThan(count - 50);
    return { world, device, olga };
  }

  it("fetches a message that is older than what is kept here, as far back as it may have been written", async () => {
    const { world, olga } = await newestOnly(450);
    const wanted = messagesIn(world, GENERAL_ROOM)[40];
    if (wanted === undefined) throw new Error("no such message");
    const { timeline, rows } = watch(olga);
    expect(await world.during(timeline.goTo(wanted.id))).toBe(true);
    expect(rows().some(({ id }) => id === wanted.id)).toBe(true);
    await world.close();
  });

  it("says of a message that was never there that it isn't here, and fetches nothing for it", async () => {
    const { world, device, olga } = await newestOnly(450);
    const held = async (): Promise<number> => (await world.during(heldMessages(device, GENERAL_ROOM))).length;
    const before = await held();
    const { timeline } = watch(olga);
    const later = uuidv7(world.town.now + IN_TEN_DAYS_MS, new Uint8Array(10)) as MessageId;
    const half = messagesIn(world, GENERAL_ROOM)[40]!.id.slice(0, 10) as MessageId;
    for (const id of [later, half]) expect(await world.during(timeline.goTo(id))).toBe(false);
    expect(await held()).toBe(before);
    await world.close();
  });

  /** Without a connection it is on the way for as long as that lasts, with the newest that are held shown. */
  async function goesWhenConnected(
    { world, device, view }: { readonly world: World; readonly device: Device; readonly view: Watched },
    wanted: MessageId,
    newestHeld: string,
  ): Promise<void> {
    const going = view.timeline.goTo(wanted);
    view.timeline.stay();
    await world.until("the newest that are held", () => view.texts().at(-1) === newestHeld);
    await world.pass(30_000);
    expect(view.ready()).toMatchObject({ isOnWay: true });
    device.line.restore();
    expect(await world.during(going)).toBe(true);
  }

  it("waits for the connection with a message that isn't here, and goes there when there is one", async () => {
    const { world, device, olga } = await newestOnly(450);
    device.line.cut();
    await world.until("known to be cut off", () => olga.workspace.connection.snapshot().state === "offline");
    const wanted = messagesIn(world, GENERAL_ROOM)[40]!.id;
    const view = watch(olga);
    await goesWhenConnected({ world, device, view }, wanted, "message 449");
    expect(view.rows().some(({ id }) => id === wanted)).toBe(true);
    await world.close();
  });

  it("goes to a message that was written while this device was away, once what was missed is here", async () => {
    const { world, device, olga } = await whole(20);
    await world.during(olga.client.close());
    const writer = await world.during(world.team.enter(OLGA));
    await writer.post("meanwhile");
    const wanted = messagesIn(world, GENERAL_ROOM).at(-1)!.id;
    device.line.cut();
    const view = watch(await world.during(device.open()));
    await goesWhenConnected({ world, device, view }, wanted, "message 19");
    expect(view.texts().at(-1)).toBe("meanwhile");
    await world.close();
  });

  it("goes to what was written since one looked at a channel that one isn't in", async () => {
    const { world, olga } = await scene();
    const mara = await world.during((await world.device(MARA)).open());
    const { createChannel, post } = mara.workspace.commands;
    const channel = must(await world.during(createChannel({ name: "pier", access: "public" })));
    must(await world.during(post(channel, "one")));
    await drain(world, mara);
    const before = olga.workspace.timeline(channel);
    const leave = before.subscribe(() => undefined);
    olga.workspace.commands.look(channel);
    await world.until("seen", () => JSON.stringify(before.snapshot()).includes('"one"'));
    leave();
    olga.workspace.commands.look(null);
    await world.pass(60_000);
    const wanted = must(await world.during(post(channel, "two")));
    await world.pass(5_000);
    const { timeline, texts } = watch(olga, channel);
    const going = timeline.goTo(wanted);
    olga.workspace.commands.look(channel);
    expect(await world.during(going)).toBe(true);
    expect(texts()).toEqual(["one", "two"]);
    await world.close();
  });

  it("says at once that it is on the way, with what stood there still shown", async () => {
    const { world, view } = await whole(300);
    const going = view.timeline.goTo(messagesIn(world, GENERAL_ROOM)[40]!.id);
    expect(view.ready()).toMatchObject({ isOnWay: true });
    expect(view.texts().at(-1)).toBe("message 299");
    await world.during(going);
    expect(view.ready()).toMatchObject({ isOnWay: false });
    await world.close();
  });

  it("stays with who reads on meanwhile, also when the message can be had", async () => {
    const { world, device, olga } = await newestOnly(450);
    device.line.cut();
    await world.until("known to be cut off", () => olga.workspace.connection.snapshot().state === "offline");
    const { timeline, texts, ready } = watch(olga);
    const going = timeline.goTo(messagesIn(world, GENERAL_ROOM)[40]!.id);
    timeline.stay();
    await world.until("the newest", () => ready()?.isOnWay === true);
    timeline.leaveWay();
    expect(ready()).toMatchObject({ isOnWay: false });
    // One that was overtaken has nothing to say.
    expect(await world.during(going)).toBe(true);
    device.line.restore();
    await world.pass(60_000);
    expect(texts().at(-1)).toBe("message 449");
    await world.close();
  });

  it("fetches what is older though that was asked for before there was anybody to ask", async () => {
    const { world, device, olga } = await newestOnly(450);
    device.crash(olga);
    const { timeline, rows, ready } = watch(await world.during(device.open()));
    const ask = (): void => {
      if (ready()?.older === "more") timeline.loadOlder();
    };
    timeline.subscribe(ask);
    ask();
    await world.until("all of it", () => rows().length > 450, 30_000);
    await world.close();
  });

  it("goes to a message that waits to be sent, also from far up", async () => {
    const { world, device, olga, view } = await whole(300);
    device.line.cut();
    const id = must(await world.during(olga.workspace.commands.post(GENERAL, "waits")));
    expect(await world.during(view.timeline.goTo(id))).toBe(true);
    const farUp = messagesIn(world, GENERAL_ROOM)[40]!.id;
    expect(await world.during(view.timeline.goTo(farUp))).toBe(true);
    expect(view.texts()).not.toContain("waits");
    expect(await world.during(view.timeline.goTo(id))).toBe(true);
    await world.until("shown", () => view.texts().at(-1) === "waits");
    await world.close();
  });

  it.each(["before", "after"])("goes back to the newest though the window was asked to grow %s", async (when) => {
    const { world, view } = await whole(300);
    const wanted = messagesIn(world, GENERAL_ROOM)[60];
    if (wanted === undefined) throw new Error("no message");
    expect(await world.during(view.timeline.goTo(wanted.id))).toBe(true);
    const grow = (): void => {
      view.timeline.loadOlder();
      view.timeline.loadNewer();
    };
    if (when === "before") grow();
    // Its read has begun, and is not done.
    for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
    view.timeline.goToNewest();
    if (when === "after") grow();
    await world.pass(1_000);
    expect(view.ready()).toMatchObject({ newer: "nothing" });
    expect(view.texts().at(-1)).toBe("message 299");
    await world.close();
  });
});
