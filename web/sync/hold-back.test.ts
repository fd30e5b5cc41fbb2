// A queue that is given up: what one's tabs and the worker make of it until the session has ended.
import { describe, expect, it } from "vitest";
import { lastPlace, type Leaving } from "../store/leaving.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { GENERAL_ROOM, items, must, OLGA, scene, textsIn, withAQueue, type Scene } from "../test/sim/scene.ts";
import { GENERAL, type Device, type Tab, type World } from "../test/sim/world.ts";
import { holdBack } from "./hold-back.ts";

/** So long nothing that goes at all takes to go; ms. */
const LONG_MS = 60_000;

const storeOf = (device: Device): Promise<Store> =>
  openStore(device.databases, `causeway/causeway/${OLGA}`, device.openBus(), () => undefined);

const pressed = async (store: Store, queue: Leaving["queue"]): Promise<Leaving> => ({
  queue,
  by: "press",
  at: 0,
  upTo: await store.read(["outbox"], lastPlace),
});

interface Held extends Scene {
  /** A second one, which holds it back and doesn't lead. */
  readonly second: Tab;
  readonly goOn: () => void;
}

/** Two messages wait, on a line that is good again. */
async function held(): Promise<Held> {
  const made = await withAQueue();
  const { world, device } = made;
  const second = await world.during(device.open());
  const store = await world.during(storeOf(device));
  const over = new AbortController();
  await world.during(holdBack(store, second.rig.ports, OLGA, await pressed(store, "keep"), over.signal));
  device.line.restore();
  await world.pass(LONG_MS);
  return { ...made, second, goOn: () => over.abort() };
}

it("nothing of it goes, by the tab that leads; when it goes on, all of it does, once", async () => {
  const { world, olga, goOn } = await held();
  expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
  expect(olga.workspace.connection.snapshot()).not.toMatchObject({ isChosen: true });
  goOn();
  await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
  await world.close();
});

it("nor by a tab that leads since, nor by the worker", async () => {
  const { world, olga, device, second, goOn } = await held();
  device.crash(olga);
  const third = await world.during(device.open());
  await world.pass(LONG_MS);
  expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
  const delivering = world.during(device.deliver());
  device.crash(third);
  await delivering;
  expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
  goOn();
  device.crash(second);
  await world.during(device.deliver());
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
  await world.close();
});

it("the tab that held it back ends: it goes on by itself", async () => {
  const { world, device, second } = await held();
  device.crash(second);
  await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
  await world.close();
});

it("a sign-out that the edge doesn't answer leaves nothing held back", async () => {
  const { world, olga } = await withAQueue();
  const left = await world.during(olga.client.account.signOut("discard"));
  expect(left).toMatchObject({ ok: false, error: { code: "offline" } });
  world.devices[0]!.line.restore();
  await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
  await world.close();
});

describe("a tab that ends before it has heard whether the session has ended", () => {
  const said = (world: World): string => textsIn(world, GENERAL_ROOM).join();

  /** Two messages were given up, and one written since; of what was sent nobody has heard. */
  async function givenUp(): Promise<Scene & { readonly second: Tab }> {
    const made = await scene();
    const { world, olga, device } = made;
    const second = await world.during(device.open());
    // They have their numbers, and don't arrive.
    device.line.hang();
    for (const text of ["one", "two"]) must(await world.during(olga.workspace.commands.post(GENERAL, text)));
    await world.pass(1_000);
    const store = await world.during(storeOf(device));
    await world.during(
      holdBack(store, second.rig.ports, OLGA, await pressed(store, "discard"), new AbortController().signal),
    );
    must(await world.during(olga.workspace.commands.post(GENERAL, "three")));
    return { ...made, second };
  }

  it("what was given up goes by no tab, and what was written since does", async () => {
    const { world, device, second } = await givenUp();
    device.crash(second);
    device.line.restore();
    await world.until("delivered", () => said(world) === "three");
    await world.pass(LONG_MS);
    expect(said(world)).toBe("three");
    await world.close();
  });

  it("nor by the worker, nor by a tab that is opened since", async () => {
    const { world, olga, device, second } = await givenUp();
    device.crash(olga);
    device.crash(second);
    device.line.restore();
    await world.during(device.deliver());
    expect(said(world)).toBe("three");
    await world.during(device.open());
    await world.pass(LONG_MS);
    expect(said(world)).toBe("three");
    await world.close();
  });

  it("and where it turns out that it has, they have left", async () => {
    const { world, olga, device, second } = await givenUp();
    device.isSessionOver = true;
    device.crash(second);
    device.line.restore();
    await world.during(olga.client.account.refresh());
    expect(olga.client.account.session.snapshot().state).toBe("nobody");
    device.isSessionOver = false;
    const back = await world.during(device.open());
    await world.until("delivered", () => said(world) === "three" && items(back).length === 0);
    await world.close();
  });

  it("and where it stands they stay: one that lapses later is to be signed in to again", async () => {
    const { world, olga, device, second } = await givenUp();
    device.crash(second);
    device.line.restore();
    await world.until("delivered", () => said(world) === "three");
    await world.pass(LONG_MS);
    await world.during(olga.client.account.refresh());
    await world.pass(1_000);
    device.isSessionOver = true;
    await world.during(olga.client.account.refresh());
    expect(olga.client.account.session.snapshot().state).toBe("signed-out");
    await world.close();
  });
});
