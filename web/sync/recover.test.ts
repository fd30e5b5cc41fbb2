// Whose words are put back where a database went while the app ran, and whose aren't.
import { IDBFactory } from "fake-indexeddb";
import { afterEach, expect, it, vi } from "vitest";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { ended, openDatabase, settled } from "../store/database.ts";
import { databaseOf, openIndex, type Index, type KnownSession } from "../store/index-database.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom, emptyRoom, workspaceRoom } from "../store/rooms.ts";
import { MIGRATIONS } from "../store/schema.ts";
import { cell } from "../store/source.ts";
import type { UpdateSnapshot } from "./client.ts";
import { forgetBeside } from "./forget-beside.ts";
import { leaveIndex } from "./leavings.ts";
import { recover, type Loss } from "./recover.ts";

const OLGA: KnownSession = {
  state: "signed-in",
  person: { user: "olga" as UserId, name: "Olga", email: "olga@people.example" },
  workspaces: [],
};
const NAME = databaseOf(OLGA);
const WORKSPACE = "w" as WorkspaceId;

afterEach(() => {
  vi.useRealTimers();
  remade.mockClear();
});

interface Site {
  readonly index: Index;
  readonly loss: Loss;
  /** Another tab's. */
  readonly other: Index;
}

/** Olga is here in two tabs, and her database has just gone. */
async function site(isOver = false): Promise<Site> {
  const factory = new IDBFactory();
  const index = await openIndex(factory);
  await index.putSession(NAME, OLGA);
  await index.read();
  const update = cell<UpdateSnapshot>({ isReady: false, isNeeded: false, notice: null });
  const loss: Loss = {
    factory,
    name: NAME,
    session: OLGA,
    index,
    workspaces: new Map(),
    synced: [],
    update,
    ports: {
      newId: () => "id",
      openBus: () => ({ send: () => undefined, listen: () => () => undefined, close: () => undefined }),
    },
    onClosed: () => undefined,
    isOver: () => isOver,
    care: () => null,
    lead: undefined,
  };
  return { index, loss, other: await openIndex(factory) };
}

/** The browser takes the index away. */
function clear(factory: IDBFactory): Promise<unknown> {
  return settled(factory.deleteDatabase("causeway"));
}

it("puts back what is hers while she is here", async () => {
  const { loss } = await site();
  (await recover(loss)).close();
});

/** In the other tab, which Olga is back in. */
async function leaves({ other }: Site, isGivenUp: boolean): Promise<void> {
  await leaveIndex(other, NAME, true);
  await forgetBeside({ index: other, notes: null, now: () => 1 }, NAME, OLGA.person.user, { isGivenUp, isGone: true });
  await other.putSession(NAME, OLGA);
}

it("puts back what she has written where she signed out in another tab and is here again", async () => {
  const made = await site();
  await leaves(made, false);
  (await recover(made.loss)).close();
  // Its account has still to hear of it.
  expect(await made.index.read()).toMatchObject({ hasLeft: true });
});

it("puts back nothing of what she gave up as she did", async () => {
  const made = await site();
  await leaves(made, true);
  await expect(recover(made.loss)).rejects.toThrow("signed out");
  expect(await made.index.read()).toMatchObject({ hasLeft: true });
});

it("nor in a tab whose data had been cleared before", async () => {
  const made = await site();
  // So often somebody had left.
  for (const _ of [1, 2]) await leaves(made, false);
  await made.index.read();
  await clear(made.loss.factory);
  (await recover(made.loss)).close();
  await leaves(made, true);
  await expect(recover(made.loss)).rejects.toThrow("signed out");
});

it("nor of who has left in this tab by then", async () => {
  const { loss } = await site(true);
  await expect(recover(loss)).rejects.toThrow("signed out");
});

/** Begun anew by a tab that knew nothing of before. */
async function beginAnew({ loss, other }: Site): Promise<void> {
  await other.putSession(NAME, OLGA);
  const db = await openDatabase(loss.factory, NAME, MIGRATIONS, { onClosed: () => undefined });
  const tx = db.transaction(["rooms", "meta"], "readwrite");
  tx.objectStore("rooms").put(emptyRoom(workspaceRoom(WORKSPACE)));
  tx.objectStore("meta").put({ key: "database", id: "anew" });
  await ended(tx);
  db.close();
}

/** Of which one text waits. */
function knowing(text: string): Replica {
  const room = channelRoom(WORKSPACE, "c" as never);
  const post = { place: 1, version: 1, id: "op1", room, at: 1, op: "message.post", args: { id: "m1", text } };
  const nothing = { rooms: new Map(), entities: () => [], heads: new Map(), drafts: new Map() };
  const isLoaded = (): boolean => true;
  const known = { ...nothing, workspace: WORKSPACE, outbox: () => [post], isLoaded, reload: () => Promise.resolve() };
  return known as unknown as Replica;
}

/** By a tab that has such a text, and lost it with the database "before". */
function recoverText({ loss }: Site): Promise<IDBDatabase> {
  return recover({ ...loss, synced: [knowing("Not yet sent")], care: () => ({ database: () => "before", remade }) });
}

/** Told when another database stands in the place of the one that is gone. */
const remade = vi.fn<() => void>();

async function isPutBack(recovering: Promise<IDBDatabase>): Promise<void> {
  const db = await recovering;
  expect(remade).toHaveBeenCalledOnce();
  const outbox = await settled(db.transaction("outbox").objectStore("outbox").getAll());
  db.close();
  expect(outbox).toMatchObject([{ args: { text: "Not yet sent" } }]);
}

/** As its page is. Answers what thaws it. */
function freeze({ index }: Site): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  index.rest(promise);
  return resolve;
}

/** Which of the databases the browser closes first. */
type First = "the index" | "hers";

/** All was cleared, and Olga signed in anew in another tab, of which this one heard before its timers came. */
async function heardFirst(first: First): Promise<Site & { readonly recovering: Promise<IDBDatabase> }> {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const made = await site();
  if (first === "the index") await clear(made.loss.factory);
  const recovering = recoverText(made);
  recovering.catch(() => undefined);
  if (first === "hers") await clear(made.loss.factory);
  await beginAnew(made);
  expect(await made.index.read()).toMatchObject({ last: OLGA, hasLeft: false });
  return { ...made, recovering };
}

it("puts back what a tab had that was frozen meanwhile, with a question of its account's behind that", async () => {
  const made = await site();
  const thaw = freeze(made);
  const asked = made.index.read();
  const recovering = recoverText(made);
  await clear(made.loss.factory);
  await beginAnew(made);
  thaw();
  expect(await asked).toMatchObject({ last: OLGA });
  await isPutBack(recovering);
});

it("puts back what a tab had that was frozen while it settled", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const made = await site();
  const recovering = recoverText(made);
  const thaw = freeze(made);
  // Its timer is heard before what happened to the index.
  await vi.advanceTimersByTimeAsync(1_000);
  await clear(made.loss.factory);
  await beginAnew(made);
  thaw();
  await isPutBack(recovering);
});

const FIRST: readonly First[] = ["the index", "hers"];

it.each(FIRST)(
  "puts back what a tab with slow timers had that heard first of a new sign-in (%s went first)",
  async (first) => {
    const { recovering } = await heardFirst(first);
    await vi.advanceTimersByTimeAsync(1_000);
    await isPutBack(recovering);
  },
);

it.each(FIRST)("but nothing of what was given up behind that (%s went first)", async (first) => {
  const made = await heardFirst(first);
  await leaves(made, true);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(made.recovering).rejects.toThrow("signed out");
  expect(remade).not.toHaveBeenCalled();
});

/** She signed out in another tab behind a clearing of which this one hears late. */
async function leavesBehindIt(isGivenUp: boolean): Promise<Site> {
  const made = await site();
  const { loss, other } = made;
  await clear(loss.factory);
  await leaveIndex(other, NAME, true);
  await forgetBeside({ index: other, notes: null, now: () => 1 }, NAME, OLGA.person.user, { isGivenUp, isGone: true });
  return made;
}

it("puts back nothing of what she gave up in another tab behind a clearing of which this one hears late", async () => {
  const made = await leavesBehindIt(true);
  await expect(recoverText(made)).rejects.toThrow("signed out");
  expect((await made.index.read()).last).toBeNull();
});

it("puts back what waits, and not her, where she signed out there and gave up nothing", async () => {
  const made = await leavesBehindIt(false);
  await isPutBack(recoverText(made));
  expect((await made.index.read()).last).toBeNull();
});

it("nor of what she gave up there where she is here again", async () => {
  const made = await site();
  await clear(made.loss.factory);
  await leaves(made, true);
  await expect(recoverText(made)).rejects.toThrow("signed out");
});

it("begins anew where it fails for another reason than that she left, for nobody else would", async () => {
  const { loss, index } = await site();
  await clear(loss.factory);
  let asks = 0;
  const putSession: Index["putSession"] = (...how) => {
    // As Firefox has it while it clears.
    if (asks++ === 0) throw new DOMException("not covered by any other error code", "UnknownError");
    return index.putSession(...how);
  };
  await isPutBack(recoverText({ loss: { ...loss, index: { ...index, putSession } }, index, other: index }));
  expect((await index.read()).last).toMatchObject({ person: OLGA.person });
});

it("asks a database that answers nothing whether it stands, for all else waits for that", async () => {
  const { loss, index } = await site();
  await clear(loss.factory);
  const refuses = (): never => {
    throw new DOMException("closed", "InvalidStateError");
  };
  const silent = Object.assign(new EventTarget(), { transaction: refuses });
  const unanswered = new Promise<never>((_resolve, reject) => {
    silent.addEventListener("close", () => reject(new DOMException("", "AbortError")));
  });
  let asks = 0;
  const putSession: Index["putSession"] = (...how) => (asks++ === 0 ? unanswered : index.putSession(...how));
  const database = (): IDBDatabase => silent as unknown as IDBDatabase;
  (await recover({ ...loss, index: { ...index, putSession, database } })).close();
  expect((await index.read()).last).toMatchObject({ person: OLGA.person });
});

it("puts back what is hers where the index goes only while it is being read", async () => {
  const { loss, index } = await site();
  const read: Index["read"] = async (...how) => {
    await clear(loss.factory);
    return index.read(...how);
  };
  (await recover({ ...loss, index: { ...index, read } })).close();
  expect((await index.read()).last).toMatchObject({ person: OLGA.person });
});
