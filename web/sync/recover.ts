// The browser took the database away while the app runs: site data cleared, or another page deleted it. What was sent is
// with the rooms and comes again; what wasn't is in this tab's memory and nowhere else, so it is stored anew before
// anything else happens. Loaded right behind the first screen: with the data, the cached code may be gone as well.
import type { OpId } from "#protocol/ids.ts";
import { begun, ended, letGoOf, openDatabase, settled, type DatabaseEvents } from "../store/database.ts";
import { isTakenAway } from "../store/faults.ts";
import { databaseOf, type Index, type KnownSession } from "../store/index-database.ts";
import type { UpdateSnapshot, WorkspaceClient } from "./client.ts";
import type { Ports } from "./ports.ts";
import type { StorageCare } from "./storage-care.ts";
import type { Replica } from "../store/replica.ts";
import type { Cell } from "../store/source.ts";
import { numbered } from "../store/outbox-course.ts";
import { emptyRoom, workspaceRoom } from "../store/rooms.ts";
import {
  MIGRATIONS,
  type DeviceRecord,
  type DraftRecord,
  type MetaRecord,
  type OutboxRecord,
  type TableName,
} from "../store/schema.ts";
import type { Change, Commit } from "../store/store.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";

export interface Loss {
  readonly factory: IDBFactory;
  /** Of the person's database. */
  readonly name: string;
  readonly session: KnownSession;
  readonly index: Index;
  /** What this tab has open. */
  readonly workspaces: ReadonlyMap<
    unknown,
    { readonly replica: Replica; readonly client: Pick<WorkspaceClient, "connection"> }
  >;
  /** What it syncs: also workspaces that aren't open here, where something waits. */
  readonly synced: readonly Replica[];
  readonly update: Cell<UpdateSnapshot>;
  readonly ports: Pick<Ports, "newId" | "openBus">;
  readonly onClosed: DatabaseEvents["onClosed"];
  /** Whether they have left in this tab. */
  readonly isOver: () => boolean;
  /** Of the one that is gone, and of what else was. */
  readonly care: () => Pick<StorageCare, "database" | "remade"> | null;
  /** Who leads begins anew, from what is stored by then: nothing else tells it, where nobody writes. */
  readonly lead: (() => void) | undefined;
}

/** The browser closes one database after the other; a moment later it is clear which are gone. */
const SETTLES_WITHIN_MS = 100;
const TRIES_MAX = 50;
const SIGNED_OUT = new DOMException("signed out", "InvalidStateError");
/** Whether a database that something is asked of still stands; ms. */
const ASKED_EVERY_MS = 500;
/** What a tab knows of one workspace that nobody else may have. */
export type Known = Pick<Replica, "workspace" | "rooms" | "entities" | "heads" | "drafts" | "outbox">;

const RESTORED: readonly TableName[] = ["rooms", "entities", "heads", "outbox", "devices", "drafts", "meta"];

const settles = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLES_WITHIN_MS));

/** While the browser still clears, it refuses all that is asked of it: asked again until that is over. */
function onceCleared<T>(ask: () => Promise<T>, tries = TRIES_MAX): Promise<T> {
  return ask().catch(async (error: unknown) => {
    if (tries === 1 || !isTakenAway(error)) throw error;
    await settles();
    return onceCleared(ask, tries - 1);
  });
}

/** What failed as the app opened because the browser clears just now. */
export async function openAgain<T>(open: () => Promise<T>): Promise<T> {
  await settles();
  return onceCleared(open);
}

/**
 * The database in its place, with all that this tab knew; fails where the person signed out elsewhere. Firefox (153) may
 * take one away that was just opened, say nothing of that, and answer nothing of what was begun there: so it is asked, for
 * everything else waits for this.
 */
export async function recover(loss: Loss, tries = TRIES_MAX): Promise<IDBDatabase> {
  let opened: IDBDatabase | null = null;
  let isTakenAgain = false;
  const onClosed: Loss["onClosed"] = (why) => {
    isTakenAgain = true;
    loss.onClosed(why);
  };
  const asking = setInterval(() => {
    for (const db of [loss.index.database(), opened]) if (db !== null) askWhetherItStands(db);
  }, ASKED_EVERY_MS);
  try {
    return await recovered({ ...loss, onClosed }, (db) => (opened = db));
  } catch (error) {
    // Begun anew by who was told that it is gone again; where nobody was, this is the only copy's only chance.
    if (isTakenAgain || error === SIGNED_OUT || loss.isOver() || tries === 1) throw error;
    if (opened !== null) letGoOf(opened);
  } finally {
    clearInterval(asking);
  }
  await settles();
  return recover(loss, tries - 1);
}

function askWhetherItStands(db: IDBDatabase): void {
  try {
    begun(db, ["meta"]);
  } catch {
    // All that waits for it fails by that, and is asked of another.
  }
}

async function recovered(loss: Loss, opened: (db: IDBDatabase) => void): Promise<IDBDatabase> {
  const { index, name } = loss;
  // A tab out of sight settles up to a minute late, and may have heard by then of who signed in anew. The index may also go
  // only now: it is another one then. Asked for at once, for what is asked of a frozen tab's index waits with what else is.
  const wasLost = index.isLost();
  const first = index.database();
  await settles();
  const isLost = index.isLost();
  // Whoever else is to hear that somebody left still does; behind a clearing there is nobody else.
  const { last, hasLeft } = await onceCleared(() => index.read(index.isLost()));
  // Behind that reading, which opens what was lost anew, and waits until a frozen tab has heard what happened meanwhile.
  const hasGone = index.database() !== first;
  const isAnothers = last !== null && databaseOf(last) !== name;
  // Who gave up what this tab knows, and is here again since, begins with what is stored.
  const isGivenUp = hasLeft && (await onceCleared(() => index.beside(name)))?.givenUpAt !== undefined;
  const isOver = last === null || isAnothers || isGivenUp || loss.isOver();
  // Behind a clearing nobody is known, which says nothing; what they gave up since does.
  const isGone = isLost || index.isLost();
  if (isGone ? isGivenUp : isOver) throw SIGNED_OUT;
  const db = await onceCleared(async () => {
    // Who has left since is back with their next sign-in; what waits is theirs until then.
    if (last === null && !hasLeft) await index.putSession(name, loss.session);
    return openDatabase(loss.factory, name, MIGRATIONS, { onClosed: loss.onClosed });
  });
  opened(db);
  const open = [...loss.workspaces.values()].map(({ replica }) => replica);
  const isOpen = new Set(open.map(({ workspace }) => workspace));
  const replicas = [...open, ...loss.synced.filter(({ workspace }) => !isOpen.has(workspace))];
  const isByChoice = [...loss.workspaces.values()].some(({ client }) => isChosen(client.connection.snapshot()));
  const before = loss.update.snapshot().notice;
  const lost = wasLost || hasGone ? (loss.care()?.database() ?? null) : null;
  const stored: Change[] = [];
  let isAnew = false;
  // One that couldn't be read knows nothing, and mustn't stand in the way of another tab's.
  for (const replica of replicas.filter(({ isLoaded }) => isLoaded())) {
    const put = await restore(db, replica, { newId: loss.ports.newId, isByChoice, lost });
    isAnew ||= put !== null;
    stored.push(...(put ?? []));
  }
  // Whoever was told that it can't be read knows why it was removed, in whichever tab.
  const notice = before === "broken" ? null : isAnew ? "wiped" : before;
  loss.update.set({ ...loss.update.snapshot(), notice });
  loss.care()?.remade();
  // Once what waits for this database goes on.
  setTimeout(() => {
    void Promise.all(replicas.map((replica) => replica.reload()))
      .catch(() => undefined)
      .then(() => {
        if (stored.length > 0) tellOthers(loss, stored);
        loss.lead?.();
      });
  });
  return db;
}

/** Tabs that were opened since have read what was there by then; this one has read what it stored. */
function tellOthers({ ports, name }: Loss, commit: Commit): void {
  const bus = ports.openBus(name);
  bus.send({ type: "commit", commit });
  bus.close();
}

/** To work offline. */
const isChosen = (now: ConnectionSnapshot): boolean => now.state === "offline" && now.isChosen === true;

export interface Restoring {
  readonly newId: () => string;
  /** The person chose so: what is queued isn't to go. */
  readonly isByChoice: boolean;
  /** Which database was lost, with all that this site had stored, so that nobody gave up what was in it; null where that isn't so. */
  readonly lost: string | null;
}

/** Answers what it stored; null where that wasn't needed: another tab was quicker, or the data is still there. */
export async function restore(
  db: IDBDatabase,
  known: Known,
  { newId, isByChoice, lost }: Restoring,
): Promise<readonly Change[] | null> {
  const tx = db.transaction([...RESTORED], "readwrite", { durability: "strict" });
  const done = ended(tx);
  // Taken away once more in its midst, the read fails first.
  done.catch(() => undefined);
  const there = (await settled(tx.objectStore("meta").get("database"))) as { readonly id: string } | undefined;
  const isStored = (await settled(tx.objectStore("rooms").count(workspaceRoom(known.workspace)))) > 0;
  let stored: readonly Change[] | null = null;
  if (!isStored) {
    stored = await putAll(tx, known, newId);
    if (isByChoice) tx.objectStore("meta").put({ key: "workOffline", on: true } satisfies MetaRecord);
  } else if (lost !== null && there?.id !== lost) {
    // Who signed in again since is online: that was asked for later than what this tab was told.
    const missing = await putMissing(tx, known);
    if (missing.length > 0) stored = missing;
  }
  await done;
  return stored;
}

async function putAll(tx: IDBTransaction, known: Known, newId: () => string): Promise<readonly Change[]> {
  const table = (of: TableName): IDBObjectStore => tx.objectStore(of);
  const directory = workspaceRoom(known.workspace);
  const room = known.rooms.get(directory) ?? emptyRoom(directory);
  const { generation } = room;
  // Of a directory that was coming anew nobody knows which came already: all of it is asked for, and the rest goes then.
  table("rooms").put(room.isSweeping ? { ...room, generation: generation + 1, cursor: null } : room);
  for (const entity of known.entities()) table("entities").put({ room: directory, generation, entity });
  for (const head of known.heads.values()) table("heads").put(head);
  // A tab that began anew may have stored before it had the directory, and told.
  const there = (await settled(table("outbox").getAll())) as OutboxRecord[];
  const isThere = (op: OutboxRecord): boolean => there.some((each) => each.id === op.id && each.room === op.room);
  const { ops, devices } = renumbered(
    known.outbox().filter((op) => !isThere(op)),
    newId,
  );
  const taken = new Set(there.map(({ place }) => place));
  const mayKeepPlaces = !ops.some(({ place }) => taken.has(place));
  // Tabs know places of before until they have read all of it again, should the database be taken away once more.
  beginBeyond(table("outbox"), Math.max(Date.now(), ...taken, ...ops.map(({ place }) => place)));
  for (const device of devices) table("devices").put(device);
  return putUnsent(tx, ops, [...known.drafts.values()], mayKeepPlaces);
}

/**
 * Another tab began anew, with what it had: all of this one's, or nothing of it where this one was frozen meanwhile and
 * somebody signed in again. What nobody put back goes behind what is there, without numbers, for it may have been done.
 */
async function putMissing(tx: IDBTransaction, known: Known): Promise<readonly Change[]> {
  const there = (await settled(tx.objectStore("outbox").getAll())) as OutboxRecord[];
  const isKnown = new Set([...(await restoredBefore(tx)), ...there.map(({ id }) => id)]);
  const ops = known.outbox().filter(({ id }) => !isKnown.has(id));
  const drafts: DraftRecord[] = [];
  for (const draft of known.drafts.values()) {
    const key = [draft.workspace, draft.channel, draft.root];
    if ((await settled(tx.objectStore("drafts").count(key))) === 0) drafts.push(draft);
  }
  return putUnsent(tx, ops.map(withoutNumber), drafts, false);
}

function withoutNumber({ n: _n, device: _device, skip: _skip, ...op }: OutboxRecord): OutboxRecord {
  return op.refusal === undefined ? { ...op, maybeDelivered: true } : op;
}

async function restoredBefore(tx: IDBTransaction): Promise<readonly OpId[]> {
  const record = (await settled(tx.objectStore("meta").get("restored"))) as MetaRecord | undefined;
  return record?.key === "restored" ? record.ids : [];
}

/** @param mayKeepPlaces none of them is taken */
async function putUnsent(
  tx: IDBTransaction,
  ops: readonly OutboxRecord[],
  drafts: readonly DraftRecord[],
  mayKeepPlaces: boolean,
): Promise<readonly Change[]> {
  const stored: Change[] = [];
  for (const { place, ...op } of ops) {
    const next = await settled(tx.objectStore("outbox").add(mayKeepPlaces ? { ...op, place } : op));
    stored.push({ table: "outbox", put: { ...op, place: Number(next) } as OutboxRecord });
  }
  for (const draft of drafts) {
    tx.objectStore("drafts").put(draft);
    stored.push({ table: "drafts", put: draft });
  }
  const ids = [...(await restoredBefore(tx)), ...ops.map(({ id }) => id)];
  tx.objectStore("meta").put({ key: "restored", ids } satisfies MetaRecord);
  return stored;
}

/** The next one is stored behind that place. */
function beginBeyond(outbox: IDBObjectStore, place: number): void {
  outbox.put({ place: place + 1 });
  outbox.delete(place + 1);
}

/**
 * In the order written, in their places. What had a number keeps it, of the device that it was given as: it may have been
 * done, and is answered as that then, not done once more over what is newer. A device's answers come in order, so nothing
 * behind its last number here has left, as far as the tab that sends knows; another may know less, and is told so by a
 * conflict. Where an older build gave all of them, they get another's: whose they were went with the data ([OP4]).
 */
export function renumbered(
  outbox: readonly OutboxRecord[],
  newId: () => string,
): { readonly ops: readonly OutboxRecord[]; readonly devices: readonly DeviceRecord[] } {
  const ops = new Map(outbox.map((op) => [op.place, op]));
  const devices: DeviceRecord[] = [];
  for (const [room, sent] of Map.groupBy(numbered(outbox), (op) => op.room)) {
    // All of one: whatever takes another device takes their numbers off, also of those that an older build gave.
    const [device, ...others] = new Set(sent.flatMap((op) => op.device ?? []));
    const last = sent.at(-1);
    if (device !== undefined && others.length === 0 && last !== undefined) {
      devices.push({ room, device, next: last.n + 1 });
      continue;
    }
    const other = newId() as DeviceRecord["device"];
    for (const [at, op] of sent.entries()) ops.set(op.place, { ...op, n: at + 1, device: other });
    devices.push({ room, device: other, next: sent.length + 1 });
  }
  return { ops: [...ops.values()], devices };
}
