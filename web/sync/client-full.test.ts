// A disk that has no room for older messages.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Device, GENERAL, type Tab, World } from "../test/sim/world.ts";
import { heldMessages } from "../test/sim/verdict.ts";
import { GENERAL_ROOM, isLive, must, OLGA, watch } from "../test/sim/scene.ts";

const COUNT = 450;

let isFull: boolean;
/** The tables of a person that take nothing more while it is. */
let full: ReadonlySet<string>;

beforeEach(() => {
  isFull = false;
  full = new Set(["messages"]);
  for (const way of ["put", "add"] as const) {
    const store = Reflect.get(IDBObjectStore.prototype, way) as (
      this: IDBObjectStore,
      ...args: unknown[]
    ) => IDBRequest;
    vi.spyOn(IDBObjectStore.prototype, way).mockImplementation(function (this: IDBObjectStore, value, key) {
      if (isFull && full.has(this.name) && this.transaction.db.name !== "causeway")
        throw new DOMException("No space left", "QuotaExceededError");
      return store.call(this, value, key);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function opened(): Promise<{ world: World; device: Device; olga: Tab }> {
  const world = await World.make(7);
  const writer = await world.during(world.team.enter(OLGA));
  for (let i = 0; i < COUNT; i++) {
    if (i % 100 === 99) await world.town.pass(6_000);
    await writer.post(`message ${i}`);
  }
  await world.pass(2_000);
  const device = await world.device(OLGA);
  return { world, device, olga: await world.during(device.open()) };
}

it("goes on filling when there is room again, and ends when it is told to", async () => {
  const { world, device, olga } = await opened();
  const { rows } = watch(olga);
  await world.until("the newest", () => rows().length > 50);
  isFull = true;
  await world.pass(30_000, 100);
  isFull = false;
  await world.until("all of it", async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length > COUNT);
  await world.during(olga.client.close());
  await world.close();
});

it("spares the line while who scrolls up wants what can't be stored", async () => {
  const { world, olga } = await opened();
  must(await world.during(olga.workspace.commands.keep({ do: "limit-channel", channel: GENERAL, days: 0 })));
  await world.pass(60_000, 100);
  const { timeline, ready } = watch(olga);
  await world.until("live", () => ready() !== null && isLive(olga));
  isFull = true;
  let wasLive = true;
  let breakCount = 0;
  olga.workspace.connection.subscribe(() => {
    if (wasLive && !isLive(olga)) breakCount += 1;
    wasLive = isLive(olga);
  });
  timeline.subscribe(() => {
    if (ready()?.older === "more") timeline.loadOlder();
  });
  timeline.loadOlder();
  await world.until("said", () => ready()?.older === "unreachable");
  await world.pass(60_000, 100);
  expect(breakCount).toBe(0);
  await world.close();
});

it("says so where there is no room even to begin, shows what the choice to work offline is, and begins when there is", async () => {
  const { world, device, olga } = await opened();
  await world.until("live", () => isLive(olga));
  await world.during(olga.client.close());
  isFull = true;
  full = new Set(["messages", "meta"]);
  const again = await world.during(device.open());
  const { connection, status, commands } = again.workspace;
  status.subscribe(() => undefined);
  await world.until("said", () => connection.snapshot().state === "full");
  // What is small may still fit.
  full = new Set(["messages"]);
  must(await world.during(commands.workOffline(true)));
  await world.until("chosen", () => status.snapshot().isOfflineChosen === true);
  must(await world.during(commands.workOffline(false)));
  await world.until("taken back", () => status.snapshot().isOfflineChosen === false);
  isFull = false;
  await world.until("live again", () => isLive(again));
  await world.close();
});

it.each([
  ["messages", ["messages"]],
  ["anything of a room", ["messages", "entities", "heads", "rooms"]],
])(
  "says that the device is full, and nothing of the line, as long as there is no room for %s that a room sends",
  async (_what, tables) => {
    const { world, olga } = await opened();
    await world.until("live", () => isLive(olga));
    full = new Set(tables);
    isFull = true;
    const writer = await world.during(world.team.enter(OLGA));
    const said: string[] = [];
    olga.workspace.connection.subscribe(() => void said.push(olga.workspace.connection.snapshot().state));
    await writer.post("While nothing fits");
    await world.until("said", () => said.includes("full"));
    said.length = 0;
    for (const at of [1, 2, 3]) {
      await world.pass(30_000, 100);
      await writer.post(`While nothing fits ${at}`);
    }
    expect(new Set([...said, olga.workspace.connection.snapshot().state])).toEqual(new Set(["full"]));
    isFull = false;
    await world.until("live again", () => isLive(olga));
    await world.close();
  },
);
