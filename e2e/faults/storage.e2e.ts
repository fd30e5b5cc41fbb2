/** Row 12 of the fault matrix: a database that is wiped or damaged, between visits or in the middle of writing, or newer than the code. */
import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { isDelivered, isLive, isQueued, message, tall } from "../journeys/channel.ts";
import { inspect, SIZES, SMALLEST } from "../journeys/inspect.ts";
import { plugIn, shellIsKept } from "../journeys/network.ts";
import { setStage } from "../journeys/stage.ts";
import { HASTY, Scene } from "./scene.ts";

const stage = setStage(HASTY);

test("row 12, everything wiped between two visits: the channel comes back whole, and writing goes on", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo, path } = scene;
  for (const at of [1, 2, 3]) await scene.say([ana, bo][at % 2]!.page, `Before the wipe ${at}`);
  await Promise.all([isDelivered(ana.page, "Before the wipe 3"), isDelivered(bo.page, "Before the wipe 3")]);
  const beside = await besideTheApp(scene);
  await ana.page.close();
  const session = await ana.context.newCDPSession(beside);
  const storageTypes = "indexeddb,local_storage,service_workers,cache_storage";
  await session.send("Storage.clearDataForOrigin", { origin: ana.proxy.url, storageTypes });
  await scene.say(bo.page, "While nothing was there");
  const again = await ana.tab(path);
  await tall(again);
  await isLive(again);
  await message(again, "Before the wipe 1").waitFor();
  await scene.say(again, "After the wipe", "Ana");
  await scene.endsWell([again, bo.page]);
});

test("row 12, everything wiped under an open page with a queue: what was written is kept, the channel comes back, all goes once", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  await scene.say(bo.page, "Before the wipe");
  await isDelivered(bo.page, "Before the wipe");
  await message(ana.page, "Before the wipe").waitFor();
  ana.proxy.cut();
  for (const at of [1, 2, 3]) await scene.say(ana.page, `Queued before the wipe ${at}`);
  await isQueued(ana.page, "Queued before the wipe 3");
  const beside = await ana.context.newPage();
  const session = await ana.context.newCDPSession(beside);
  await session.send("Storage.clearDataForOrigin", { origin: ana.proxy.url, storageTypes: "indexeddb" });
  await plugIn(ana);
  await scene.endsWell();
});

test("row 12, a database newer than the code: it says so, leaves it alone, and what waits in it waits on", async () => {
  const scene = await Scene.open(stage);
  const { ana } = scene;
  await shellIsKept(ana.page);
  ana.proxy.cut();
  await scene.say(ana.page, "Queued before the newer build");
  await isQueued(ana.page, "Queued before the newer build");
  const beside = await besideTheApp(scene);
  const version = await raiseVersion(beside);
  ana.proxy.up();
  // Nobody writes anything, so the page reloads by itself, to find the newer build.
  await ana.page.getByText("A newer version of Causeway was here").waitFor();
  const now = await beside.evaluate(async () => (await indexedDB.databases()).map(({ version }) => version));
  expect(now).toContain(version);
  const waiting = await beside.evaluate(readOutboxes);
  expect(waiting).toEqual(["Queued before the newer build"]);
});

test("row 12, what is stored can't be read any more while one works: it is said, and made anew on demand, with all that waited", async () => {
  const scene = await Scene.open(stage, {
    prepare: async ([{ context }]) => {
      await context.addInitScript(breakableDisk);
    },
  });
  const { ana, bo } = scene;
  await scene.say(bo.page, "Said by Bo while all was well");
  await message(ana.page, "Said by Bo while all was well").waitFor();
  await shellIsKept(ana.page);
  ana.proxy.cut();
  for (const at of [1, 2]) await scene.say(ana.page, `Queued before the damage ${at}`);
  await isQueued(ana.page, "Queued before the damage 2");
  await ana.page.evaluate(() => dispatchEvent(new Event("damage")));
  await ana.page.getByRole("link", { name: "Browse channels" }).click();
  await ana.page
    .getByRole("navigation", { name: "Channels" })
    .getByRole("link", { name: /general/ })
    .click();
  await ana.page.getByRole("alert").filter({ hasText: "can't be read any more" }).waitFor();
  await ana.page.getByRole("button", { name: "Export what is on this device" }).waitFor();
  await inspect(ana.page, "storage-broken", [...SIZES, ...SMALLEST]);
  await Promise.all([
    ana.page.waitForEvent("load", { timeout: 60_000 }),
    ana.page.getByRole("button", { name: "Rebuild" }).click(),
  ]);
  await isQueued(ana.page, "Queued before the damage 2");
  await tall(ana.page);
  await plugIn(ana);
  await scene.endsWell();
});

test.each([
  ["that says what belongs to it, after a visit that ended", /MANIFEST/, "close"],
  ["that hold it, after a power cut", /\.(?:log|ldb)$/, "kill"],
] as const)(
  "row 12, files of the database damaged between two visits, those %s: the channel comes back whole, and writing goes on",
  async (_which, files, end) => {
    const profile = stage.rig.profile();
    const scene = await Scene.open(stage, { ana: { profile } });
    const { ana, bo } = scene;
    for (const at of [1, 2, 3]) await scene.say(ana.page, `Before the damage ${at}`);
    await isDelivered(ana.page, "Before the damage 3");
    await (end === "kill" ? profile.kill() : ana.close());
    await scene.say(bo.page, "While nobody could read");
    expect(damage(profile.folder, files)).toBeGreaterThan(0);
    // A killed browser may not have stored that one is signed in.
    const again = await stage.desk({ profile, proxy: ana.proxy, person: scene.team.people[0]! });
    await again.go(scene.path);
    await tall(again.page);
    await isLive(again.page);
    for (const at of [1, 2, 3]) await message(again.page, `Before the damage ${at}`).waitFor();
    await scene.say(again.page, "After the damage", "Ana");
    await scene.endsWell([again.page, bo.page]);
  },
);

/** Overwrites the beginning of each such file of the databases, and cuts off the rest. Answers how many there were. */
function damage(folder: string, which: RegExp): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.includes(".indexeddb.leveldb") && which.test(file),
  );
  for (const file of files) {
    const path = join(folder, file);
    writeFileSync(path, "damaged ".repeat(64), { flag: "r+" });
    truncateSync(path, 512);
  }
  return files.length;
}

/**
 * At the event `damage` nothing of a person's database can be read any more, over whichever connection, until it is
 * removed: as with a disk that fails. Chromium's own files can't be made to fail so: what it finds damaged it removes.
 */
function breakableDisk(): void {
  let isDamaged = false;
  addEventListener("damage", () => {
    isDamaged = true;
  });
  const begin = Object.getOwnPropertyDescriptor(IDBDatabase.prototype, "transaction")!;
  IDBDatabase.prototype.transaction = function transaction(...args) {
    if (isDamaged && this.name.startsWith("causeway/") && (args[1] ?? "readonly") === "readonly")
      throw new DOMException("Internal error retrieving or checking the data", "UnknownError");
    return begin.value!.apply(this, args);
  };
  const remove = Object.getOwnPropertyDescriptor(IDBFactory.prototype, "deleteDatabase")!;
  IDBFactory.prototype.deleteDatabase = function deleteDatabase(name) {
    const request: IDBOpenDBRequest = remove.value!.call(this, name);
    if (name.startsWith("causeway/") && !name.endsWith("/search"))
      request.addEventListener("success", () => (isDamaged = false));
    return request;
  };
}

/** A page of the same origin that holds nothing of the app. */
async function besideTheApp({ ana }: Scene): Promise<Page> {
  const page = await ana.context.newPage();
  await page.goto(new URL("/manifest.webmanifest", ana.proxy.url).href);
  return page;
}

/** What a newer build does first, in the person's own database. Answers its new version. */
async function raiseVersion(page: Page): Promise<number> {
  const raised = await page.evaluate(async () => {
    const known = await indexedDB.databases();
    for (const { name, version } of known) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name!, version! + 50);
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("The database can't be raised")));
      });
      const isPersons = db.objectStoreNames.contains("outbox");
      db.close();
      if (isPersons) return version! + 50;
    }
    return 0;
  });
  expect(raised).toBeGreaterThan(50);
  return raised;
}

async function readOutboxes(): Promise<string[]> {
  const texts: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name!);
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error ?? new Error("The database can't be read")));
    });
    if (db.objectStoreNames.contains("outbox")) {
      const all = await new Promise<{ op: string; args: { text: string } }[]>((resolve) => {
        const request = db.transaction("outbox").objectStore("outbox").getAll();
        request.addEventListener("success", () => resolve(request.result));
      });
      texts.push(...all.filter(({ op }) => op === "message.post").map(({ args }) => args.text));
    }
    db.close();
  }
  return texts;
}
