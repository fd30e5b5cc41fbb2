/** Row 12 of the fault matrix: a database that is wiped or damaged, between visits or in the middle of writing, or newer than the code. */
import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { account, saveACopy } from "../journeys/account.ts";
import { composer, isDelivered, isLive, isQueued, message, tall } from "../journeys/channel.ts";
import { rowsOnDisk } from "../journeys/disk.ts";
import { eventually } from "../journeys/eventually.ts";
import { faultyDisk, hold } from "../journeys/faulty-disk.ts";
import { inspect, SIZES, SMALLEST } from "../journeys/inspect.ts";
import { plugIn, shellIsKept } from "../journeys/network.ts";
import { lineOf } from "../journeys/rooms.ts";
import { setStage } from "../journeys/stage.ts";
import { HASTY, Scene } from "./scene.ts";

const stage = setStage(HASTY);

/** It says nothing of what may still turn up, and that takes ten seconds. */
const SAID_WITHIN_MS = 45_000;

const ALL_BUT_COOKIES = "indexeddb,local_storage,service_workers,cache_storage";

test("row 12, everything wiped between two visits: the channel comes back whole, and writing goes on", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo, path } = scene;
  for (const at of [1, 2, 3]) await scene.say([ana, bo][at % 2]!.page, `Before the wipe ${at}`);
  await Promise.all([isDelivered(ana.page, "Before the wipe 3"), isDelivered(bo.page, "Before the wipe 3")]);
  const beside = await besideTheApp(scene);
  await ana.page.close();
  const session = await ana.context.newCDPSession(beside);
  await session.send("Storage.clearDataForOrigin", { origin: ana.proxy.url, storageTypes: ALL_BUT_COOKIES });
  await scene.say(bo.page, "While nothing was there");
  const again = await ana.tab(path);
  await tall(again);
  await isLive(again);
  await message(again, "Before the wipe 1").waitFor();
  await scene.say(again, "After the wipe", "Ana");
  await scene.endsWell([again, bo.page]);
});

/** Two of Ana's texts hadn't been sent when her databases went; the page that is opened then, and what it says of them. */
async function unsentGone(): Promise<{ scene: Scene; again: Page; notice: Locator }> {
  const scene = await Scene.open(stage);
  const { ana, path } = scene;
  await scene.anaHolds("Before the wipe");
  ana.proxy.cut();
  for (const at of [1, 2]) await scene.say(ana.page, `Unsent before the wipe ${at}`);
  await isQueued(ana.page, "Unsent before the wipe 2");
  await ana.page.waitForFunction(() =>
    Object.entries(localStorage).some(
      ([key, value]) => key.startsWith("causeway.waiting.") && String(value).includes("Unsent before the wipe 2"),
    ),
  );
  const beside = await ana.context.newPage();
  await beside.goto("about:blank");
  await ana.page.close();
  const session = await ana.context.newCDPSession(beside);
  await session.send("Storage.clearDataForOrigin", { origin: ana.proxy.url, storageTypes: "indexeddb" });
  // Nobody is known here any more, and nobody can be asked: that is said, and what is noted with it.
  const again = await ana.tab(path);
  await again.getByRole("status").filter({ hasText: "2 texts that haven't been delivered are kept" }).waitFor();
  await inspect(again, "unsent-gone-offline", [...SIZES, ...SMALLEST]);
  await plugIn(ana);
  // Who the browser still has a session of is let in.
  await isLive(again);
  await tall(again);
  const notice = again.getByRole("alert").filter({ hasText: "hadn't been sent when Causeway was last open here" });
  await notice.waitFor({ timeout: SAID_WITHIN_MS });
  return { scene, again, notice };
}

test("row 12, databases wiped between two visits with something unsent: it is said, with what it was, and goes once when the person sends it", async () => {
  const { scene, again, notice } = await unsentGone();
  await inspect(again, "unsent-gone", [...SIZES, ...SMALLEST]);
  await again.getByRole("link", { name: "Open the Outbox" }).click();
  await again.getByRole("heading", { name: "Noted before this browser's data was cleared" }).waitFor();
  await inspect(again, "unsent-gone-outbox", [...SIZES, ...SMALLEST]);
  await again.getByRole("button", { name: "Send all 2 messages now" }).click();
  await again.getByText("Nothing waits").waitFor();
  await notice.waitFor({ state: "detached" });
  await again.goto(new URL(scene.path, scene.ana.proxy.url).href);
  await tall(again);
  await scene.endsWell([again, scene.bo.page]);
});

test("who signs out hears of what was noted, and a copy has it; called off, it is still there", async () => {
  const { scene, again } = await unsentGone();
  await account(again, "Sign out");
  const dialog = again.getByRole("dialog", { name: "Sign out" });
  await dialog.getByText("2 texts that were noted before this browser's data was cleared").waitFor();
  await dialog.getByRole("button", { name: "Discard and sign out" }).waitFor();
  await inspect(again, "sign-out-noted");
  const copy = await saveACopy(again);
  for (const at of [1, 2]) expect(copy).toContain(`Unsent before the wipe ${at}`);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await again.getByRole("link", { name: "Open the Outbox" }).click();
  await again.getByRole("button", { name: "Send all 2 messages now" }).click();
  await again.getByText("Nothing waits").waitFor();
  await eventually(() => lineOf(scene.team).texts(scene.team.general)).toContain("Unsent before the wipe 2");
});

test("one of those that is discarded while the one before it is being sent doesn't go", async () => {
  const { scene, again } = await unsentGone();
  await again.getByRole("link", { name: "Open the Outbox" }).click();
  const row = (at: number): Locator => again.getByRole("listitem").filter({ hasText: `Unsent before the wipe ${at}` });
  await row(2).waitFor();
  await again.evaluate(faultyDisk);
  await hold(again, { isHolding: true });
  await again.getByRole("button", { name: "Send all 2 messages now" }).click();
  await row(1).getByRole("button", { name: "Discard", disabled: true }).waitFor();
  await row(2).getByRole("button", { name: "Discard" }).click();
  await eventually(() => row(2).count()).toBe(0);
  await hold(again, {});
  await again.getByText("Nothing waits").waitFor();
  await eventually(() => lineOf(scene.team).texts(scene.team.general)).toEqual([
    "Before the wipe",
    "Unsent before the wipe 1",
  ]);
});

test.each([
  ["databases", "indexeddb"],
  ["everything but cookies", ALL_BUT_COOKIES],
])(
  "row 12, %s wiped under an open page with a queue: what was written is kept, the channel comes back, all goes once",
  async (_what, storageTypes) => {
    const scene = await Scene.open(stage);
    const { ana, bo } = scene;
    await shellIsKept(ana.page);
    await scene.say(bo.page, "Before the wipe");
    await isDelivered(bo.page, "Before the wipe");
    await message(ana.page, "Before the wipe").waitFor();
    ana.proxy.cut();
    for (const at of [1, 2, 3]) await scene.say(ana.page, `Queued before the wipe ${at}`);
    await isQueued(ana.page, "Queued before the wipe 3");
    const beside = await ana.context.newPage();
    const session = await ana.context.newCDPSession(beside);
    // While a copy of what is being written is due, in the database that all people of the profile share.
    await composer(ana.page).fill("Half a thought");
    await session.send("Storage.clearDataForOrigin", { origin: ana.proxy.url, storageTypes });
    await ana.page.getByText("data for Causeway was cleared").waitFor();
    await plugIn(ana);
    await scene.endsWell();
    expect(await composer(ana.page).inputValue()).toBe("Half a thought");
    // And opens without a network as before.
    await shellIsKept(ana.page);
    ana.proxy.cut();
    await ana.page.reload();
    await message(ana.page, "Queued before the wipe 3").waitFor();
    await eventually(() => composer(ana.page).inputValue()).toBe("Half a thought");
  },
);

test("row 12, everything wiped again and again in the midst of writing: all that was written goes once, and the page goes on", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  await shellIsKept(ana.page);
  const beside = await ana.context.newPage();
  const session = await ana.context.newCDPSession(beside);
  for (const round of [1, 2, 3, 4, 5, 6]) {
    if (round % 2 === 0) ana.proxy.cut();
    const texts = Array.from({ length: 12 }, (_, at) => `Of round ${round}, ${at}.`);
    await scene.enter(ana.page, texts);
    // What is written in the very moment Chromium forgets; which of it that is, no round repeats.
    await new Promise((resolve) => setTimeout(resolve, 8 * round));
    await session.send("Storage.clearDataForOrigin", { origin: ana.proxy.url, storageTypes: "indexeddb" });
    await plugIn(ana);
    // What is judged opens databases: one that is opened while Chromium (156) forgets may stay so for good.
    await isDelivered(ana.page, texts.at(-1)!, 90_000);
    await scene.endsWell([ana.page, bo.page]);
  }
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
  await ana.page.getByText("A newer version of Causeway was here").waitFor({ timeout: 30_000 });
  const now = await beside.evaluate(async () => (await indexedDB.databases()).map(({ version }) => version));
  expect(now).toContain(version);
  const waiting = (await rowsOnDisk(beside, "outbox")) as { readonly op: string; readonly args: { text: string } }[];
  expect(waiting.filter(({ op }) => op === "message.post").map(({ args }) => args.text)).toEqual([
    "Queued before the newer build",
  ]);
});

test("row 12, what is stored can't be read any more while one works: it is said, and made anew on demand, with all that waited", async () => {
  const scene = await Scene.open(stage, {
    prepare: async ([{ context }]) => {
      await context.addInitScript(breakableDisk);
    },
  });
  const { ana } = scene;
  await scene.anaHolds("Said by Bo while all was well");
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

test("row 12, made anew at the wish of a tab that follows, while a page that hangs holds what is stored: it is said, goes on by itself, and all that waited goes once", async () => {
  const scene = await Scene.open(stage, {
    prepare: async ([{ context }]) => {
      await context.addInitScript(breakableDisk);
    },
  });
  const { ana, bo, path } = scene;
  await scene.anaHolds("Said by Bo while all was well");
  const follows = await ana.tab(path);
  await tall(follows);
  await isLive(follows);
  const beside = await besideTheApp(scene);
  await beside.evaluate(holdDatabases);
  ana.proxy.cut();
  await scene.say(ana.page, "Queued in the tab that leads");
  await isQueued(follows, "Queued in the tab that leads");
  await scene.say(follows, "Queued in the tab that follows");
  await isQueued(ana.page, "Queued in the tab that follows");
  await follows.evaluate(() => dispatchEvent(new Event("damage")));
  await follows.getByRole("link", { name: "Browse channels" }).click();
  await follows
    .getByRole("navigation", { name: "Channels" })
    .getByRole("link", { name: /general/ })
    .click();
  await follows.getByRole("button", { name: "Rebuild" }).click();
  await follows.getByRole("alert").filter({ hasText: "Another tab of Causeway still holds what is stored" }).waitFor();
  await inspect(follows, "storage-waiting", [...SIZES, ...SMALLEST]);
  await Promise.all([follows.waitForEvent("load", { timeout: 60_000 }), beside.close()]);
  await isQueued(follows, "Queued in the tab that follows");
  await isQueued(ana.page, "Queued in the tab that follows");
  await tall(follows);
  await plugIn(ana);
  await scene.endsWell([ana.page, follows, bo.page]);
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

test("row 12, a power cut in the midst of what is being written: all of it is there at the next start, and at those after that, without a network", async () => {
  const profile = stage.rig.profile();
  const scene = await Scene.open(stage, { ana: { profile } });
  const { ana } = scene;
  await scene.say(ana.page, "Before the cut");
  await isDelivered(ana.page, "Before the cut");
  await shellIsKept(ana.page);
  await profile.kill();
  const torn = logsIn(profile.folder).at(-1)!;
  truncateSync(torn, statSync(torn).size - 5);

  const [person] = scene.team.people;
  const again = await stage.desk({ profile, proxy: ana.proxy, person: person! });
  await again.go(scene.path);
  await isLive(again.page);
  await scene.say(again.page, "Behind the cut", "Ana");
  // What stands behind a torn record can't be read by the next start.
  await eventually(() => logsIn(profile.folder)).not.toContain(torn);
  ana.proxy.cut();
  await scene.say(again.page, "Without a network", "Ana");
  await isQueued(again.page, "Without a network");
  await again.close();

  const last = await stage.desk({ profile, proxy: ana.proxy, person: person! });
  await last.go(scene.path);
  await isQueued(last.page, "Without a network");
  await message(last.page, "Before the cut").waitFor();
  await plugIn(last);
  await tall(last.page);
  await scene.endsWell([last.page, scene.bo.page]);
});

/** What Chromium writes first of all that its databases keep, in order. */
function logsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.indexeddb\.leveldb\/\d+\.log$/.test(file))
    .toSorted()
    .map((file) => join(folder, file));
}

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

/** As a page that hangs: it hears nothing, and lets nothing go. */
async function holdDatabases(): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (name?.startsWith("causeway/") !== true) continue;
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.addEventListener("success", () => {
        // Else it is collected, and closed.
        Object.assign(globalThis, { [`held ${name}`]: request.result });
        resolve();
      });
      request.addEventListener("error", () => reject(request.error ?? new Error("The database can't be held")));
    });
  }
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
