// A channel whose room an operator restored to an earlier state, as the people in it see it ([SV4]).
import { describe, expect, it } from "vitest";
import { type Device, GENERAL, type Tab, World } from "../test/sim/world.ts";
import { drain, GENERAL_ROOM, isLive, MARA, must, OLGA, row, textsIn, type Watched, watch } from "../test/sim/scene.ts";
import { heldMessages } from "../test/sim/verdict.ts";

const isUnread = (tab: Tab): boolean | undefined => row(tab, "general")?.isUnread;

interface Read {
  readonly world: World;
  readonly device: Device;
  readonly olga: Tab;
  readonly view: Watched;
  /** Mara's, who has none of the trouble. */
  readonly posts: (...texts: string[]) => Promise<void>;
  readonly sees: (text: string) => Promise<void>;
  /** Olga, to the end. */
  readonly reads: (text: string) => Promise<void>;
  /** Takes the room back to the copy. */
  readonly restore: (forMs?: number) => Promise<void>;
}

/** Olga has read what Mara wrote until the copy was made. */
async function copied(): Promise<Read> {
  const world = await World.make(1);
  await world.during(world.team.invite("mara"));
  const device = await world.device(OLGA);
  const olga = await world.during(device.open());
  await world.until("live", () => isLive(olga));
  const view = watch(olga);
  const posts = async (...texts: string[]): Promise<void> => {
    const mara = await world.during(world.team.enter(MARA));
    for (const text of texts) await world.during(mara.post(text));
    await world.pass(2_000);
  };
  const sees = async (text: string): Promise<void> => world.until(text, () => view.texts().at(-1) === text);
  const reads = async (text: string): Promise<void> => {
    await sees(text);
    olga.workspace.commands.markRead(GENERAL, view.rows().at(-1)?.seq ?? 0);
    await world.pass(20_000, 250);
  };
  await posts("one", "two");
  await reads("two");
  const room = world.team.room();
  const rows = structuredClone(room.storage.rows);
  const restore = async (forMs = 20_000): Promise<void> => {
    room.storage.rows.clear();
    for (const [key, value] of rows) room.storage.rows.set(key, value);
    room.sleep();
    const told = await world.during(room.call("POST", "restored", { epoch: world.team.town.newId() }));
    expect(told.status).toBe(200);
    await world.pass(forMs, 250);
  };
  return { world, device, olga, view, posts, sees, reads, restore };
}

describe("[SV4] a restored channel", () => {
  it("is read by who had read it, and what is posted since is unread", async () => {
    const { world, olga, posts, sees, reads, restore } = await copied();
    await posts("three", "four", "five");
    await reads("five");
    await restore();
    await sees("two");
    expect(isUnread(olga)).toBe(false);
    await posts("new");
    await sees("new");
    expect(isUnread(olga)).toBe(true);
    await reads("new");
    expect(isUnread(olga)).toBe(false);
    await world.close();
  });

  it("is read again where one reads on while what one read before is still to be told", async () => {
    const { world, olga, view, posts, sees, restore } = await copied();
    const { markRead } = olga.workspace.commands;
    const last = (): number => view.rows().at(-1)?.seq ?? 0;
    await posts("three", "four", "five");
    await sees("five");
    markRead(GENERAL, last() - 1);
    await world.pass(1_000);
    markRead(GENERAL, last());
    await restore(1_000);
    await sees("two");
    await posts("new");
    await sees("new");
    markRead(GENERAL, last());
    await world.pass(40_000, 250);
    expect(isUnread(olga)).toBe(false);
    await world.close();
  });

  it("is read where what was unread has gone with it", async () => {
    const { world, olga, posts, sees, restore } = await copied();
    await posts("three", "four", "five");
    await sees("five");
    expect(isUnread(olga)).toBe(true);
    await restore();
    await sees("two");
    expect(isUnread(olga)).toBe(false);
    await world.close();
  });

  it("[OP4] brings back who was away: what is gone goes, what they wrote goes out once, what came is unread", async () => {
    const { world, device, olga, view, posts, reads, restore } = await copied();
    must(await world.during(olga.workspace.commands.post(GENERAL, "mine, delivered")));
    await drain(world, olga);
    await posts("three", "four", "five");
    await reads("five");
    await posts("six");
    device.line.cut();
    olga.workspace.commands.markRead(GENERAL, view.rows().at(-1)?.seq ?? 0);
    for (const text of ["mine, queued", "mine, too"])
      must(await world.during(olga.workspace.commands.post(GENERAL, text)));
    await restore();
    await posts("new");
    expect(view.texts()).toContain("six");
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    const room = ["one", "two", "new", "mine, queued", "mine, too"];
    await world.until("the same as the room", () => view.texts().join() === room.join());
    expect(textsIn(world, GENERAL_ROOM)).toEqual(room);
    await world.pass(20_000, 250);
    expect(isUnread(olga)).toBe(true);
    const held = await world.during(heldMessages(device, GENERAL_ROOM));
    expect(held.map(({ seq }) => seq)).toEqual(Array.from({ length: held.length }, (_, i) => i + 1));
    await reads("mine, too");
    expect(isUnread(olga)).toBe(false);
    await world.close();
  });

  it("[OP8] is written to without a tab: what was delivered stands there at the next opening, what is gone doesn't", async () => {
    const { world, device, olga, posts, reads, restore } = await copied();
    await posts("three", "four", "five");
    await reads("five");
    device.line.cut();
    for (const text of ["mine, queued", "mine, too"])
      must(await world.during(olga.workspace.commands.post(GENERAL, text)));
    device.crash(olga);
    await restore();
    device.line.restore();
    expect(await world.during(device.deliver())).toBe("done");
    device.line.cut();
    const view = watch(await world.during(device.open()));
    await world.until("shown", () => view.texts().length > 0);
    expect(view.texts()).toEqual(["one", "two", "mine, queued", "mine, too"]);
    await world.close();
  });

  it("[OP8] [OP3] is written to without a tab, and the line goes before what it holds now is here: all still waits", async () => {
    const { world, device, olga, posts, reads, restore } = await copied();
    await posts("three", "four", "five");
    await reads("five");
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "mine")));
    device.crash(olga);
    await restore();
    device.line.restore();
    world.interfere = () => {
      if (world.calls.at(-1)?.action === "GET history") device.line.cut();
    };
    expect(await world.during(device.deliver())).toBe("later");
    const view = watch(await world.during(device.open()));
    await world.until("shown", () => view.texts().length > 0);
    expect(view.texts()).toEqual(["one", "two", "three", "four", "five", "mine"]);
    expect(view.rows().at(-1)?.delivery).not.toBe("sent");
    world.interfere = null;
    device.line.restore();
    expect(await world.during(device.deliver())).toBe("done");
    await world.until("the same as the room", () => view.texts().join() === "one,two,mine");
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two", "mine"]);
    await world.close();
  });

  it("is known for one before anything of it is here: what is held counts for nothing", async () => {
    const { world, device, olga, posts, reads, restore } = await copied();
    await posts("three", "four", "five");
    await reads("five");
    device.line.cut();
    await restore();
    // Its room can't be reached for now; the workspace's can, and tells.
    const { sessions } = world.team.room().running;
    sessions.received = async (wire) => wire.close(1012, "busy");
    device.line.restore();
    olga.rig.happen("online");
    await world.pass(30_000, 250);
    expect(isUnread(olga)).toBe(false);
    await world.close();
  });
});
