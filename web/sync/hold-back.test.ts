// A queue that is given up: what one's tabs and the worker make of it until the session has ended.
import { describe, expect, it, vi } from "vitest";
import { besideDisk } from "../store/beside.ts";
import { settled } from "../store/database.ts";
import { putDraft } from "../store/drafts.ts";
import { dropOp } from "../store/drop-op.ts";
import { openIndex } from "../store/index-database.ts";
import { readLeaving, standing, type Leaving } from "../store/leaving.ts";
import { openStore } from "../store/open-store.ts";
import { readOutbox } from "../store/outbox.ts";
import type { Store } from "../store/store.ts";
import { memoryNotes } from "../test/node-ports.ts";
import { drain, GENERAL_ROOM, items, must, OLGA, scene, textsIn, withAQueue, type Scene } from "../test/sim/scene.ts";
import { GENERAL, type Device, type Tab, type World } from "../test/sim/world.ts";
import { callOffAlone, holdBack, isHeldBack, noteLeaving } from "./hold-back.ts";
import { HELD_BACK_FOR_MS } from "./held-back-for.ts";
import { holdDatabase } from "./holding.ts";
import { openClient } from "./open-client.ts";
import type { Notes } from "./ports.ts";
import { changeLost, lostAsStored } from "./waiting.ts";

/** So long nothing that goes at all takes to go; ms. */
const LONG_MS = 60_000;

const storeOf = (device: Device): Promise<Store> =>
  openStore(device.databases, `causeway/causeway/${OLGA}`, device.openBus(), () => undefined);

const pressed = async (store: Store, queue: Leaving["queue"], at: number): Promise<Leaving> => ({
  queue,
  by: "press",
  at,
  ...(await store.read(["outbox", "drafts"], standing)),
});

/** As far as a press in that tab comes before the edge is asked. */
async function leaves(
  { rig }: Tab,
  store: Store,
  queue: Leaving["queue"],
  over = new AbortController().signal,
): Promise<void> {
  expect(await holdBack(rig.ports, OLGA, over)).toBe(true);
  await noteLeaving(store, rig.ports, await pressed(store, queue, rig.ports.now()));
}

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
  await world.during(leaves(second, store, "keep", over.signal));
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

describe("a discard that the edge doesn't answer", () => {
  async function failing(): Promise<Scene & { readonly calledOff: AbortController }> {
    const made = await withAQueue();
    const { world, olga, device } = made;
    const calledOff = new AbortController();
    expect(await world.during(olga.client.account.signOut("discard", calledOff.signal))).toMatchObject({
      error: { isHeldBack: true },
    });
    device.line.restore();
    await world.pass(LONG_MS);
    expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
    return { ...made, calledOff };
  }

  it("holds it back while its person is asked once more; closed, all of it goes", async () => {
    const { world, calledOff } = await failing();
    calledOff.abort();
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
    await world.close();
  });

  it("goes nowhere where they ask for it again, and nor does it once they are back", async () => {
    const { world, olga, device, calledOff } = await failing();
    const answer = world.answer.bind(world);
    world.answer = async (of, input, init) =>
      input.includes("/sign-out") ? Response.json({ success: true }) : answer(of, input, init);
    const again = new AbortController();
    const left = olga.client.account.signOut("discard", again.signal);
    await world.pass(100);
    calledOff.abort();
    must(await world.during(left));
    await world.during(device.open());
    await world.pass(LONG_MS);
    expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
    await world.close();
  });

  it("and stays so over a second try that fails as well, whenever the first is let go of", async () => {
    const { world, olga, device, calledOff } = await failing();
    device.line.cut();
    const again = new AbortController();
    expect((await world.during(olga.client.account.signOut("discard", again.signal))).ok).toBe(false);
    device.line.restore();
    calledOff.abort();
    await world.pass(LONG_MS);
    expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
    again.abort();
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
    await world.close();
  });

  it("goes after a while by itself: whoever asks may have been left alone", async () => {
    const { world } = await failing();
    await world.pass(HELD_BACK_FOR_MS, 1_000);
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
    await world.close();
  });

  it("goes where that tab ends meanwhile: they were told that nothing was discarded", async () => {
    const { world, olga, device } = await failing();
    device.crash(olga);
    const next = await world.during(device.open());
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
    await drain(world, next);
    await world.close();
  });

  it("goes where they keep it after all, and that fails as well", async () => {
    const { world, olga, device } = await failing();
    device.line.cut();
    expect((await world.during(olga.client.account.signOut("keep", new AbortController().signal))).ok).toBe(false);
    device.line.restore();
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
    await world.close();
  });
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
    await world.during(leaves(second, store, "discard"));
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

  it("also where they went on before that call can have arrived or failed: the edge is asked once more", async () => {
    const { world, olga, device, second } = await givenUp();
    device.crash(second);
    device.line.restore();
    await world.during(olga.client.account.refresh());
    await world.pass(LONG_MS);
    device.isSessionOver = true;
    await world.during(olga.client.account.refresh());
    expect(olga.client.account.session.snapshot().state).toBe("signed-out");
    await world.close();
  });
});

describe("asked for in one tab, and not answered yet", () => {
  interface Asked extends Scene {
    readonly second: Tab;
    readonly store: Store;
    /** Of the first tab's press. */
    readonly answer: (response: Response) => void;
  }

  /** Two messages wait on a line that is cut, past which the edge answers. */
  async function asked(notes: Notes | null = null): Promise<Asked> {
    const made = await withAQueue(notes);
    const { world, device } = made;
    const second = await world.during(device.open());
    const first = Promise.withResolvers<Response>();
    let presses = 0;
    const answer = world.answer.bind(world);
    world.answer = async (of, input, init) => {
      const { pathname } = new URL(input);
      if (pathname === "/api/auth/sign-in/email") return Response.json({ user: { id: OLGA } });
      if (pathname === "/api/me" && !device.isSessionOver) return Response.json(world.me(OLGA));
      if (pathname !== "/api/auth/sign-out") return answer(of, input, init);
      presses += 1;
      return presses === 1 ? first.promise : Response.json({ success: true });
    };
    return { ...made, second, store: await world.during(storeOf(device)), answer: first.resolve };
  }

  const waiting = (store: Store): Promise<number> =>
    store.read(["outbox"], async (tx) => (await readOutbox(tx)).length);

  const postsIn = async (world: World, device: Device): Promise<readonly string[]> => {
    const left = await world.during(storeOf(device));
    const ops = await left.read(["outbox"], readOutbox);
    left.close();
    return ops.flatMap(({ op, args }) => (op === "message.post" ? [args.text] : []));
  };

  it("another one writes meanwhile: that stays, and what lies beside the database is given up all the same", async () => {
    const notes = memoryNotes();
    const { world, olga, device, second, answer } = await asked(notes);
    const name = `causeway/causeway/${OLGA}`;
    const text = { op: "op", at: 1, room: GENERAL_ROOM, channel: GENERAL, message: null, root: null, text: "lost" };
    changeLost(notes, name, () => ({ texts: [{ ...text, kind: "draft" }], rest: [], isTold: true }));
    const index = await world.during(openIndex(device.databases));
    await world.during(besideDisk(index.begin!, name).write({ places: { place: "An edit" }, version: 1 }));
    const first = olga.client.account.signOut("discard");
    await world.pass(1_000);
    must(await world.during(second.workspace.commands.post(GENERAL, "written behind the press")));
    answer(Response.json({ success: true }));
    must(await world.during(first));
    expect(lostAsStored(notes, name)).toBeNull();
    expect(await index.beside(name)).toMatchObject({ places: {}, givenUpAt: expect.any(Number) });
    expect(await postsIn(world, device)).toEqual(["written behind the press"]);
    index.close();
    await world.close();
  });

  it.each([
    ["was written by a clock that is set back since goes", 3_600_000, true],
    ["is stored behind the press by a clock that was set back stays", -3_600_000, false],
  ])("a long draft that %s", async (_, ahead, isBefore) => {
    const { world, olga, device, store, answer } = await asked();
    const at = olga.rig.ports.now() + ahead;
    const write = (): Promise<void> =>
      store.write({ tables: ["drafts"], durability: "strict" }, async (tx) =>
        putDraft(tx, { workspace: world.team.workspace.workspace, channel: GENERAL, root: "", text: "long", at }),
      );
    if (isBefore) await world.during(write());
    const first = olga.client.account.signOut("discard");
    await world.pass(1_000);
    if (!isBefore) await world.during(write());
    store.close();
    answer(Response.json({ success: true }));
    must(await world.during(first));
    const left = await world.during(storeOf(device));
    expect((await left.read(["drafts"], (tx) => tx.all("drafts"))).length).toBe(isBefore ? 0 : 1);
    left.close();
    await world.close();
  });

  it("a draft on its way that its room says no to meanwhile goes as well", async () => {
    const { world, olga, device, store, answer } = await asked();
    const first = olga.client.account.signOut("discard");
    await world.pass(1_000);
    const tables = ["outbox", "drafts"] as const;
    await store.write({ tables, durability: "strict" }, async (tx) => {
      for (const op of await readOutbox(tx)) if (op.op === "draft.set") await dropOp(tx, op);
    });
    expect((await store.read(["drafts"], (tx) => tx.all("drafts"))).map(({ text }) => text)).toEqual([
      "half a thought",
    ]);
    store.close();
    answer(Response.json({ success: true }));
    must(await world.during(first));
    const left = await world.during(storeOf(device));
    expect(await left.read(["drafts"], (tx) => tx.all("drafts"))).toEqual([]);
    left.close();
    await world.close();
  });

  it.each([
    ["without any room", "put", "QuotaExceededError", null],
    ["that can't read what was asked for", "get", "UnknownError", "meta"],
  ] as const)("a disk %s: nothing of it goes once they are back", async (_, way, name, table) => {
    const { world, olga, device, second, answer } = await asked();
    const first = olga.client.account.signOut("discard");
    await world.pass(1_000);
    must(await world.during(second.workspace.commands.post(GENERAL, "written behind the press")));
    const call = Reflect.get(IDBObjectStore.prototype, way) as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
    const disk = vi.spyOn(IDBObjectStore.prototype, way).mockImplementation(function (
      this: IDBObjectStore,
      ...args: unknown[]
    ) {
      const isOfIt = this.transaction.db.name !== "causeway" && (table === null || this.name === table);
      if (isOfIt) throw new DOMException("It failed", name);
      return call.call(this, ...args);
    });
    answer(Response.json({ success: true }));
    must(await world.during(first));
    disk.mockRestore();
    device.line.restore();
    await world.during(device.open());
    await world.pass(LONG_MS);
    expect(textsIn(world, GENERAL_ROOM)).not.toEqual(expect.arrayContaining(["one"]));
    await world.close();
  });

  it("a disk that doesn't drop it in time: what another one wrote meanwhile stays, and what was given up goes", async () => {
    const { world, olga, device, second, answer } = await asked();
    const first = olga.client.account.signOut("discard");
    await world.pass(1_000);
    must(await world.during(second.workspace.commands.post(GENERAL, "written behind the press")));
    const put = Reflect.get(IDBObjectStore.prototype, "put") as (
      this: IDBObjectStore,
      ...args: unknown[]
    ) => IDBRequest;
    let isRefused = false;
    const disk = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...args) {
      const [value] = args;
      const isDropping = typeof value === "object" && "tab" in value && value.tab === "";
      if (!isDropping || isRefused) return put.call(this, ...args);
      isRefused = true;
      throw new DOMException("No space left", "QuotaExceededError");
    });
    answer(Response.json({ success: true }));
    must(await world.during(first));
    disk.mockRestore();
    expect(isRefused).toBe(true);
    expect(await postsIn(world, device)).toEqual(["written behind the press"]);
    await world.close();
  });

  it("another one's press says so and ends nothing, and called off in the first all of it is there", async () => {
    const { world, olga, second, store, answer } = await asked();
    const before = await waiting(store);
    const calledOff = new AbortController();
    const first = olga.client.account.signOut("discard", calledOff.signal);
    await world.pass(1_000);
    const other = await world.during(second.client.account.signOut("keep"));
    expect(other).toMatchObject({ ok: false, error: { detail: expect.stringContaining("Another tab") } });
    calledOff.abort();
    answer(new Response("", { status: 503 }));
    expect((await world.during(first)).ok).toBe(false);
    expect(await waiting(store)).toBe(before);
    await world.close();
  });

  it("what another one gives up goes, though the first has kept it by then", async () => {
    const { world, olga, device, second, answer } = await asked();
    const first = olga.client.account.signOut("keep");
    await world.pass(1_000);
    const other = second.client.account.signOut("discard");
    await world.pass(1_000);
    answer(Response.json({ success: true }));
    must(await world.during(first));
    must(await world.during(other));
    expect(await waiting(await world.during(storeOf(device)))).toBe(0);
    const index = await world.during(settled(device.databases.open("causeway")));
    expect(await world.during(settled(index.transaction("people").objectStore("people").getAllKeys()))).toEqual([]);
    index.close();
    await world.close();
  });

  it("they sign in again in another one: called off in the first, nothing is gone", async () => {
    const { world, olga, device, second, store, answer } = await asked();
    const before = await waiting(store);
    device.isSessionOver = true;
    await world.during(olga.client.account.refresh());
    const calledOff = new AbortController();
    const first = olga.client.account.signOut("discard", calledOff.signal);
    await world.pass(1_000);
    device.isSessionOver = false;
    must(await world.during(second.client.account.signIn({ email: "olga@team.example", password: "a long password" })));
    calledOff.abort();
    answer(new Response("", { status: 503 }));
    await world.during(first);
    expect(await waiting(store)).toBe(before);
    await world.close();
  });

  it("what another one gives up goes while the first, which keeps it, waits for a tab that doesn't let go", async () => {
    const { world, olga, device, second, answer } = await asked();
    const name = `causeway/causeway/${OLGA}`;
    const frozen = await world.during(settled(device.databases.open(name)));
    const letGo = holdDatabase(device.locks, name);
    const each = [
      olga.client.account.signOut("keep"),
      world.pass(1_000).then(() => second.client.account.signOut("discard")),
    ].map((press) => press.catch((error: unknown) => error));
    await world.pass(2_000);
    answer(Response.json({ success: true }));
    await world.during(Promise.all(each));
    frozen.close();
    letGo();
    device.line.restore();
    await world.during(device.open());
    await world.pass(LONG_MS);
    expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
    await world.close();
  });

  it("called off in another one while it waits: what the first keeps stays", async () => {
    const { world, olga, device, second, store, answer } = await asked();
    const before = await waiting(store);
    const first = olga.client.account.signOut("keep");
    await world.pass(1_000);
    const calledOff = new AbortController();
    const other = second.client.account.signOut("discard", calledOff.signal);
    await world.pass(1_000);
    calledOff.abort();
    expect(await world.during(other)).toMatchObject({ ok: false, error: { code: "unauthenticated" } });
    answer(Response.json({ success: true }));
    must(await world.during(first));
    expect(await waiting(await world.during(storeOf(device)))).toBe(before);
    await world.close();
  });

  it("who was about to send hangs in a disk: nobody is told of another tab's sign-out, and they get out", async () => {
    const { world, device, second, answer } = await asked();
    answer(Response.json({ success: true }));
    const hangs = { read: () => new Promise(() => undefined) } as unknown as Store;
    void isHeldBack(hangs, device.locks, OLGA);
    await world.pass(100);
    must(await world.during(second.client.account.signOut("keep")));
    expect(second.client.account.session.snapshot().state).toBe("nobody");
    await world.close();
  });
});

describe("locks that aren't there, or can't be asked", () => {
  const { signal } = new AbortController();
  const refuse = (): Promise<never> => Promise.reject(new DOMException("", "SecurityError"));
  const refusing = { request: refuse, query: refuse } as unknown as LockManager;

  it.each([
    ["none", null],
    ["refused", refusing],
  ])("hold nothing back, and keep nobody from signing out: %s", async (_, locks) => {
    const { world, olga } = await scene();
    expect(await holdBack({ ...olga.rig.ports, locks }, OLGA, signal)).toBeNull();
    await world.close();
  });

  it("leave no note of a press before the edge has answered: nobody would know that it came to nothing", async () => {
    const { world, olga, device } = await withAQueue();
    const asked = Promise.withResolvers<Response>();
    const answer = world.answer.bind(world);
    world.answer = async (of, input, init) => (input.includes("/sign-out") ? asked.promise : answer(of, input, init));
    const client = await world.during(openClient({ ...olga.rig.ports, locks: null }));
    const left = client.account.signOut("discard");
    await world.pass(1_000);
    const store = await world.during(storeOf(device));
    expect(await world.during(store.read(["meta"], readLeaving))).toBeNull();
    asked.resolve(new Response("", { status: 503 }));
    expect((await world.during(left)).ok).toBe(false);
    await world.during(client.close());
    await world.close();
  });
});

it("a press of since is another one: it isn't over with the one that the edge was asked about", async () => {
  const { world, olga, device } = await withAQueue();
  const store = await world.during(storeOf(device));
  await world.during(noteLeaving(store, olga.rig.ports, await pressed(store, "keep", olga.rig.ports.now())));
  expect(await world.during(callOffAlone(store, olga.rig.ports, OLGA, "one before"))).toBe(false);
  expect(await world.during(store.read(["meta"], readLeaving))).not.toBeNull();
  expect(await world.during(callOffAlone(store, olga.rig.ports, OLGA, "press"))).toBe(true);
  expect(await world.during(store.read(["meta"], readLeaving))).toBeNull();
  await world.close();
});
