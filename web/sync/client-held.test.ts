// Another tab stands still with a transaction of the database open: nothing can be stored, and what is said goes by that.
import { expect, it } from "vitest";
import { settled } from "../store/database.ts";
import {
  drain,
  GENERAL_ROOM,
  isLive,
  maraOf,
  must,
  OLGA,
  scene,
  textsIn,
  watch,
  type Scene,
} from "../test/sim/scene.ts";
import { heldMessages } from "../test/sim/verdict.ts";
import { GENERAL, World, type Device, type Tab } from "../test/sim/world.ts";

const NAME = `causeway/causeway/${OLGA}`;

/** As a tab that ran off in the midst of storing. @returns what ends it */
async function holdDisk(device: Device): Promise<() => void> {
  const db = await settled(device.databases.open(NAME));
  const tx = db.transaction([...db.objectStoreNames], "readwrite");
  let isHeld = true;
  const goOn = (): void => {
    if (isHeld) tx.objectStore("meta").get("nothing").onsuccess = goOn;
    else db.close();
  };
  goOn();
  return () => {
    isHeld = false;
  };
}

interface Beside extends Scene {
  readonly mara: Tab;
  readonly says: (text: string) => Promise<void>;
}

/** Somebody else is in the channel, on a device of hers. */
async function beside(): Promise<Beside> {
  const made = await scene();
  const { world } = made;
  const mara = await maraOf(world);
  const says = async (text: string): Promise<void> =>
    void must(await world.during(mara.workspace.commands.post(GENERAL, text)));
  return { ...made, mara, says };
}

const stateOf = ({ workspace }: Tab): string => workspace.connection.snapshot().state;

/** All that is said of the line from now on, each with how many messages were shown then. */
function listen(tab: Tab): { readonly view: ReturnType<typeof watch>; readonly said: string[] } {
  const view = watch(tab);
  const said: string[] = [];
  let before = stateOf(tab);
  tab.workspace.connection.subscribe(() => {
    if (stateOf(tab) === before) return;
    before = stateOf(tab);
    said.push(`${before} ${view.texts().length}`);
  });
  return { view, said };
}

it("who leads beside it is live only as long as nothing came that can't be stored", async () => {
  const { world, olga, device, says } = await beside();
  const view = watch(olga);
  const letGo = await world.during(holdDisk(device));
  await world.pass(5_000);
  expect(isLive(olga)).toBe(true);
  await says("news");
  await world.until("said", () => textsIn(world, GENERAL_ROOM).includes("news"));
  await world.pass(2_000);
  expect(view.texts()).not.toContain("news");
  expect(stateOf(olga)).toBe("catching-up");
  await world.pass(20_000);
  expect(stateOf(olga)).toBe("catching-up");
  letGo();
  await world.until("live again", () => isLive(olga), 2_000);
  expect(view.texts()).toContain("news");
  await world.close();
});

it("then it is live again once all is stored that came meanwhile, and not between", async () => {
  const { world, olga, device, mara, says } = await beside();
  const { view, said } = listen(olga);
  let letGo = await world.during(holdDisk(device));
  for (let i = 0; i < 30; i += 1) await says(`news ${i}`);
  await drain(world, mara);
  await world.pass(3_000);
  for (let i = 0; i < 4; i += 1) {
    // Asked for before the other ends, so that one thing gets in between.
    const next = holdDisk(device);
    await world.pass(25);
    letGo();
    letGo = await world.during(next);
    await world.pass(1_700);
  }
  expect(view.texts().length).toBeLessThan(30);
  letGo();
  await world.until("all", () => view.texts().length === 30);
  await world.until("live", () => isLive(olga));
  expect(said).toEqual(["catching-up 0", "live 30"]);
  await world.close();
});

it("what comes all the time, and is stored as it comes, is no reason to say anything else than live", async () => {
  const { world, olga, says } = await beside();
  const { said } = listen(olga);
  for (let i = 0; i < 40; i += 1) {
    await says(`news ${i}`);
    await world.pass(50);
  }
  await world.until("all", () => textsIn(world, GENERAL_ROOM).length === 40);
  await world.pass(2_000);
  expect(said).toEqual([]);
  await world.close();
});

it("nor is a page of history over which a slow disk takes more than a second", async () => {
  const world = await World.make(7);
  const writer = await world.during(world.team.enter(OLGA));
  for (let i = 0; i < 450; i += 1) {
    if (i % 100 === 99) await world.town.pass(6_000);
    await writer.post(`message ${i}`);
  }
  await world.pass(2_000);
  const device = await world.device(OLGA);
  const olga = await world.during(device.open());
  const { view, said } = listen(olga);
  await world.until("live", () => isLive(olga) && view.texts().at(-1) === "message 449");
  const held = async (): Promise<number> => (await world.during(heldMessages(device, GENERAL_ROOM))).length;
  said.length = 0;
  const before = await held();
  for (let i = 0; i < 8 && (await held()) < 450; i += 1) {
    view.timeline.loadOlder();
    const letGo = await world.during(holdDisk(device));
    await world.pass(1_300);
    letGo();
    await world.pass(300);
  }
  expect(await held()).toBeGreaterThan(before);
  expect(said).toEqual([]);
  await world.close();
});

it("in the tab that is seen it is said, though the one that leads is out of sight with its timers late: each time", async () => {
  const { world, olga, device, says } = await beside();
  const second = await world.during(device.open());
  await world.until("live", () => isLive(second));
  olga.rig.setVisible(false);
  olga.rig.delayTimers(60_000);
  await world.pass(300_000, 1_000);
  const was: boolean[] = [];
  for (const text of ["one", "two"]) {
    const letGo = await world.during(holdDisk(device));
    await says(text);
    await world.pass(20_000, 250);
    was.push(isLive(second));
    letGo();
    await world.pass(5_000, 250);
    was.push(isLive(second));
  }
  expect(was).toEqual([false, true, false, true]);
  await world.close();
});

it.each(["a text", "a reply", "an edit", "a new channel"])(
  "where it led, whoever does something beside it isn't called live for long, though that can't be stored: %s",
  async (what) => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    await world.until("live", () => isLive(second));
    const { post, edit, createChannel } = second.workspace.commands;
    const root = must(await world.during(post(GENERAL, "root")));
    // Its code comes with the first.
    must(await world.during(edit(GENERAL, root, "the root")));
    await drain(world, second);
    await world.pass(2_000);
    const letGo = await world.during(holdDisk(device));
    olga.rig.hang();
    const doing = {
      "a text": () => post(GENERAL, "kept"),
      "a reply": () => post(GENERAL, "kept", root),
      "an edit": () => edit(GENERAL, root, "kept"),
      "a new channel": () => createChannel({ name: "kept", access: "public" }),
    }[what]!();
    await world.pass(3_000);
    expect(isLive(second)).toBe(false);
    letGo();
    expect((await world.during<{ readonly ok: boolean }>(doing)).ok).toBe(true);
    await drain(world, second);
    await world.until("live", () => isLive(second));
    await world.close();
  },
);
