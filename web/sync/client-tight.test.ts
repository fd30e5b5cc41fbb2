// A disk that has no room for what is written until some was made.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GENERAL } from "../test/sim/world.ts";
import { seeded } from "../test/sim/seeded.ts";
import { drain, GENERAL_ROOM, must, scene, textsIn } from "../test/sim/scene.ts";

/** So many of the next writes to the outbox find the disk full. */
let refusals: number;
let isRefused: () => boolean;
let isMaking: () => void;
let makingCount: number;

type Method = (this: unknown, ...args: unknown[]) => unknown;

beforeEach(() => {
  refusals = 0;
  isRefused = () => {
    refusals -= 1;
    return refusals >= 0;
  };
  makingCount = 0;
  isMaking = () => undefined;
  const add = Reflect.get(IDBObjectStore.prototype, "add") as Method;
  vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(function (this: IDBObjectStore, value, key) {
    const request = add.call(this, value, key) as IDBRequest<IDBValidKey>;
    if (this.name !== "outbox" || !isRefused()) return request;
    // As a browser does: when its turn has come, and all that was asked of it is done.
    const { transaction } = this;
    const wait = (turns: number): void => {
      if (turns > 0) return void (this.count().onsuccess = () => wait(turns - 1));
      Object.defineProperty(transaction, "error", { value: new DOMException("No space left", "QuotaExceededError") });
      transaction.abort();
    };
    wait(20);
    return request;
  });
  const drop = Reflect.get(IDBFactory.prototype, "deleteDatabase") as Method;
  vi.spyOn(IDBFactory.prototype, "deleteDatabase").mockImplementation(function (this: IDBFactory, name) {
    makingCount += 1;
    isMaking();
    return drop.call(this, name) as IDBOpenDBRequest;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Resolves when room is being made for one that was refused. */
function roomIsMade(): Promise<void> {
  return new Promise((resolve) => {
    isMaking = resolve;
  });
}

it.each([1, 2, 3])("no message overtakes another for which room is being made: %i writes fail", async (count) => {
  const { world, olga } = await scene();
  const { post } = olga.workspace.commands;
  refusals = count;
  const isMade = roomIsMade();
  const first = post(GENERAL, "one");
  await isMade;
  const posting = [first, post(GENERAL, "two"), post(GENERAL, "three")];
  for (const result of await world.during(Promise.all(posting))) must(result);
  await drain(world, olga);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two", "three"]);
  await world.close();
});

it.each([1, 2, 3])("nor do such as are sent in one moment: %i writes fail", async (count) => {
  const { world, olga } = await scene();
  refusals = count;
  const posting = ["one", "two", "three"].map((text) => olga.workspace.commands.post(GENERAL, text));
  for (const result of await world.during(Promise.all(posting))) must(result);
  await drain(world, olga);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two", "three"]);
  await world.close();
});

it.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  "what a disk takes that refuses now and then is in the order written: seed %i",
  async (seed) => {
    const { world, olga } = await scene(seed);
    const { next } = seeded(seed);
    const { post, setDraft } = olga.workspace.commands;
    let isFull = true;
    isRefused = () => isFull && next() < (seed % 3 === 0 ? 0.9 : 0.4);
    const texts: string[] = [];
    const posted: Promise<{ readonly ok: boolean }>[] = [];
    for (let at = 0; at < 30; at += 1) {
      const what = next();
      if (what < 0.5) posted.push(post(GENERAL, texts[texts.push(`text ${at}`) - 1]!));
      else if (what < 0.7) void setDraft(GENERAL, `draft ${at}`);
      else if (what < 0.8) isFull = !isFull;
      else await world.pass(Math.round(next() * 50));
    }
    const results = await world.during(Promise.all(posted));
    isFull = false;
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(texts.filter((_, at) => results[at]?.ok));
    await world.close();
  },
);

it("a draft that is sent doesn't come back, though it was stored only when there was room again", async () => {
  const { world, olga } = await scene();
  const { post, setDraft } = olga.workspace.commands;
  const draft = olga.workspace.draft(GENERAL);
  draft.subscribe(() => undefined);
  refusals = 1;
  const isMade = roomIsMade();
  const drafted = setDraft(GENERAL, "half a thought");
  await isMade;
  const posted = post(GENERAL, "half a thought", undefined, undefined, "half a thought");
  must(await world.during(drafted));
  must(await world.during(posted));
  await drain(world, olga);
  expect(draft.snapshot()).toEqual({ state: "ready", value: "" });
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["half a thought"]);
  await world.close();
});

it("where nothing makes way, what stands in line hears so as soon as the first does", async () => {
  const { world, olga } = await scene();
  const { post, setDraft } = olga.workspace.commands;
  refusals = Infinity;
  const isMade = roomIsMade();
  const drafts = [setDraft(GENERAL, "h")];
  await isMade;
  for (const text of ["ha", "hal", "half"]) drafts.push(setDraft(GENERAL, text));
  const posted = post(GENERAL, "half a thought");
  expect((await world.during(drafts[0]!)).ok).toBe(false);
  const madeFor = makingCount;
  expect(await world.during(posted)).toMatchObject({ ok: false, error: { code: "storage_full" } });
  expect(makingCount).toBe(madeFor);
  refusals = 0;
  must(await world.during(post(GENERAL, "half a thought")));
  await world.close();
});

it("sets aside again what it made room with, once that is stored for which it did", async () => {
  const { world, olga, device } = await scene();
  refusals = 1;
  must(await world.during(olga.workspace.commands.post(GENERAL, "one")));
  const isSetAside = async (): Promise<boolean> =>
    (await device.databases.databases()).some(({ name }) => name === "causeway.reserve");
  expect(await isSetAside()).toBe(false);
  await world.until("set aside", isSetAside);
  await world.close();
});
