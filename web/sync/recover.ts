// The browser took the database away while the app runs: site data cleared, or another page deleted it. What was sent is
// with the rooms and comes again; what wasn't is in this tab's memory and nowhere else, so it is stored anew before
// anything else happens. Loaded right behind the first screen: with the data, the cached code may be gone as well.
import { begun, letGoOf, openDatabase, type DatabaseEvents } from "../store/database.ts";
import { isTakenAway } from "../store/faults.ts";
import { databaseOf, type Index, type KnownSession } from "../store/index-database.ts";
import type { UpdateSnapshot, WorkspaceClient } from "./client.ts";
import type { Ports } from "./ports.ts";
import type { StorageCare } from "./storage-care.ts";
import type { Replica } from "../store/replica.ts";
import type { Cell } from "../store/source.ts";
import { restore } from "./restore.ts";
import { MIGRATIONS } from "../store/schema.ts";
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
/** Whether a database that something is asked of still stands; ms. */
const ASKED_EVERY_MS = 500;
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
export async function recover(loss: Loss): Promise<IDBDatabase> {
  let opened: IDBDatabase | null = null;
  const open = (db: IDBDatabase): void => {
    // Of a try that failed.
    if (opened !== null) letGoOf(opened);
    opened = db;
  };
  const asking = setInterval(() => {
    for (const db of [loss.index.database(), opened]) if (db !== null) askWhetherItStands(db);
  }, ASKED_EVERY_MS);
  try {
    const found = await lookUp(loss);
    return await persistently(loss, (onClosed) => putBack({ ...loss, onClosed }, found, open));
  } finally {
    clearInterval(asking);
  }
}

function askWhetherItStands(db: IDBDatabase): void {
  try {
    begun(db, ["meta"]);
  } catch {
    // All that waits for it fails by that, and is asked of another.
  }
}

/** What fails is begun anew by who was told that the database is gone again; where nobody was, here: else nobody would. */
async function persistently(
  loss: Loss,
  put: (onClosed: Loss["onClosed"]) => Promise<IDBDatabase>,
  tries = TRIES_MAX,
): Promise<IDBDatabase> {
  let isTakenAgain = false;
  try {
    return await put((why) => {
      isTakenAgain = true;
      loss.onClosed(why);
    });
  } catch (error) {
    if (isTakenAgain || loss.isOver() || tries === 1) throw error;
  }
  await settles();
  return persistently(loss, put, tries - 1);
}

interface Found {
  /** Somebody is known here, or has left since. */
  readonly isKnown: boolean;
  /** Which database was lost with all that this site had stored; null where that isn't so, or isn't known. */
  readonly lost: string | null;
}

/** Who is here by now, once it is clear what went. */
async function lookUp(loss: Loss): Promise<Found> {
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
  if (isGone ? isGivenUp : isOver) throw new DOMException("signed out", "InvalidStateError");
  return { isKnown: last !== null || hasLeft, lost: wasLost || hasGone ? (loss.care()?.database() ?? null) : null };
}

async function putBack(loss: Loss, { isKnown, lost }: Found, opened: (db: IDBDatabase) => void): Promise<IDBDatabase> {
  const { index, name } = loss;
  const db = await onceCleared(async () => {
    // Who has left since is back with their next sign-in; what waits is theirs until then.
    if (!isKnown) await index.putSession(name, loss.session);
    return openDatabase(loss.factory, name, MIGRATIONS, { onClosed: loss.onClosed });
  });
  opened(db);
  const open = [...loss.workspaces.values()].map(({ replica }) => replica);
  const isOpen = new Set(open.map(({ workspace }) => workspace));
  const replicas = [...open, ...loss.synced.filter(({ workspace }) => !isOpen.has(workspace))];
  const isByChoice = [...loss.workspaces.values()].some(({ client }) => isChosen(client.connection.snapshot()));
  const before = loss.update.snapshot().notice;
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
