// Opens the client from disk: who was here last and their database. No network is on the way; it is asked afterwards.
import type { WorkspaceId } from "#protocol/ids.ts";
import { isBlocked, type ClosedBecause } from "../store/database.ts";
import { isTakenAway } from "../store/faults.ts";
import { databaseOf, openIndex, type Index, type KnownSession } from "../store/index-database.ts";
import { loadedOnce } from "../store/loaded-once.ts";
import { openStore } from "../store/open-store.ts";
import type { WorkspaceRef } from "../store/snapshots.ts";
import { cell } from "../store/source.ts";
import type { Store } from "../store/store.ts";
import { readWorkOffline, WORKING_OFFLINE } from "../store/work-offline.ts";
import { openAccount, type OpenAccount } from "./account.ts";
import type { Client, UpdateSnapshot } from "./client.ts";
import type { Ports } from "./ports.ts";
import type { StorageCare } from "./storage-care.ts";
import { openTab, type Tab } from "./tab.ts";
import { untilHere } from "./until-here.ts";
import { openWorkspace, type OpenWorkspace } from "./workspace-client.ts";

export interface OpenedClient extends Client {
  /** Ends it when all under way is stored; for tests, scripts and pages that go. */
  readonly close: () => Promise<void>;
}

/** Everything that belongs to the person who is here. */
interface Presence {
  readonly name: string;
  readonly store: Store;
  readonly tab: Tab;
  readonly workspaces: Map<WorkspaceId, OpenWorkspace>;
  readonly ports: Ports;
  readonly care: () => Promise<StorageCare>;
  /** Nothing that goes wrong from now on means anything. */
  readonly end: () => void;
}

/** Taken away while it opened: nothing of it is in memory yet. */
const NONE: Presence["workspaces"] = new Map();

/** A page that isn't frozen after all goes on so soon; one that is has timers that stand still. */
const THAWS_AFTER_MS = 50;

export async function openClient(given: Ports): Promise<OpenedClient> {
  let isClosed = false;
  /** A newer build has the database: what still tries to store fails, as it must. */
  let isTaken = false;
  let here: Presence | null = null;
  // What still runs when the databases are closed fails, and means nothing any more.
  const report = (error: unknown): void => {
    if (here === null || !(error instanceof DOMException)) bug(error);
    // A disk that fails is none.
    else void lookInto(here.care, error);
  };
  const lookInto = async (care: Presence["care"], error: DOMException): Promise<void> => (await care()).failed(error);
  const bug = (error: unknown): void => {
    if (!isClosed && !isTaken) given.report(error);
  };
  const ports: Ports = {
    ...given,
    report,
    // Every HTTP call of ours comes through here: whoever works offline by choice makes none.
    fetch: async (input, init) => {
      const choice = here?.store.read(["meta"], readWorkOffline).catch(() => false);
      if ((await choice) === true) throw new TypeError(WORKING_OFFLINE);
      return given.fetch(input, init);
    },
  };
  const recovery = (): Promise<typeof import("./recover.ts")> => import("./recover.ts");
  /** Where the browser clears what it stores just now, that is a moment's matter: nothing is damaged. */
  const onDisk = <T>(open: () => Promise<T>): Promise<T> =>
    open().catch(async (error: unknown) => {
      if (!isTakenAway(error)) throw error;
      return (await recovery()).openAgain(open);
    });
  const index = await onDisk(() => indexOf(ports));
  const initial = await onDisk(index.read);
  const bus = ports.openBus("causeway");
  const update = cell<UpdateSnapshot>({ isReady: false, isNeeded: false, notice: null });
  const tell = (news: Partial<UpdateSnapshot>): void => update.set({ ...update.snapshot(), ...news });
  const needsUpdate = (): void => tell({ isReady: true, isNeeded: true });
  let entering: Promise<void> = Promise.resolve();

  const enter = (session: KnownSession): Promise<void> => {
    entering = entering.then(() => enterAs(session));
    return entering;
  };

  const enterAs = async (session: KnownSession): Promise<void> => {
    const name = databaseOf(session);
    if (here?.name === name) return;
    await leave();
    // What the screens of somebody who left still want to store fails, and means nothing.
    let isOver = false;
    let taken: StorageCare | null = null;
    const own: Ports = { ...ports, report: (error) => (isOver ? undefined : ports.report(error)) };
    const end = (): void => {
      isOver = true;
      taken?.close();
    };
    const factory = index.kind === "disk" ? ports.indexedDB : null;
    // What is kept in memory no other tab has: each leads for itself.
    const among = factory === null ? ports.newId() : name;
    const personBus = ports.openBus(among);
    let tab: Tab | null = null;
    const care = loadedOnce(async () => {
      const { careForStorage } = await import("./storage-care.ts");
      taken = careForStorage({
        store,
        ports: { ...given, report: bug },
        name,
        index,
        tell,
        note: (note) => tab?.send({ type: "note", note }),
      });
      // First needed by what was still to be stored.
      if (isOver) taken.close();
      return taken;
    });
    let reopened: Promise<IDBDatabase> | null = null;
    const onClosed = (why: ClosedBecause): void => {
      if (why === "upgraded-elsewhere") {
        // A newer build took the database over: this one must not go on as if it could store, nor lead.
        isTaken = true;
        needsUpdate();
        void tab?.close(true);
      } else if (factory !== null && !isOver) {
        const workspaces = here?.name === name ? here.workspaces : NONE;
        const lost = { name, ports: own, workspaces, synced: tab?.replicas() ?? [], lead: tab?.lost };
        const loss = { ...lost, factory, session, index, update, onClosed, isOver: () => isOver, care: () => taken };
        reopened = recovery().then(({ recover }) => recover(loss));
        reopened.catch(() => undefined);
      }
    };
    const store = await onDisk(() => openStore(factory, name, personBus, onClosed, ports.onBlocked, () => reopened));
    if (store.kind === "memory") tell({ notice: "memory" });
    const { user } = session.person;
    // Where it can't be done, it is tried once more behind the first screen (keepBeside).
    await index
      .beside(name)
      .then((kept) => kept && own.putRight?.(user, kept, store))
      .catch(() => undefined);
    tab = openTab({
      ports: own,
      store,
      bus: personBus,
      name: among,
      me: user,
      config: () => opened.configuration(),
      care,
    });
    tab.onOutdated(needsUpdate);
    tab.onSession((isOver) => opened.sessionSeen(isOver));
    here = { name, store, tab, workspaces: new Map(), ports: own, care, end };
    void Promise.resolve(ports.firstScreen)
      .then(care)
      .catch(() => undefined);
  };

  const leave = async (): Promise<void> => {
    const gone = here;
    here = null;
    if (gone === null) return;
    gone.end();
    for (const workspace of gone.workspaces.values()) workspace.close();
    await gone.tab.close();
    gone.store.close();
  };

  const flush = async (): Promise<void> => {
    for (const workspace of here?.workspaces.values() ?? []) await workspace.flush();
  };

  const opened: OpenAccount = openAccount({
    ports,
    fetch: given.fetch,
    index,
    bus,
    initial,
    enter,
    flush,
    leave,
    store: () => here?.store ?? null,
    resumed: () => here?.tab.send({ type: "signed-in" }),
  });

  if (initial.last !== null) await enter(initial.last);
  ports.updates?.listen((news) => {
    if (news === "needed") needsUpdate();
    else tell({ isReady: true });
  });
  const shown = Promise.resolve(ports.firstScreen);
  void shown.then(opened.account.refresh).catch(ports.report);
  // Before it is needed: with the data, the cached code may go as well.
  void shown.then(() => untilHere(recovery, ports.timers));

  const stopPage = ports.page.listen((event) => {
    // Chromium (156) still hands a frozen page what other tabs tell it, and none of what it then reads: that read would
    // keep all of them waiting.
    if (event === "freeze") index.rest(new Promise((resolve) => ports.timers.set(resolve, THAWS_AFTER_MS)));
  });

  const workspacesNow = (): readonly WorkspaceRef[] => {
    const session = opened.account.session.snapshot();
    return session.state === "nobody" ? [] : session.workspaces;
  };

  return {
    account: opened.account,
    open: (slug) => {
      const session = opened.account.session.snapshot();
      if (here === null || session.state === "nobody") return null;
      const found = session.workspaces.find((workspace) => workspace.slug === slug);
      if (found === undefined) return null;
      const { store, tab, workspaces, care } = here;
      tab.enter(found.id);
      const known = workspaces.get(found.id);
      if (known !== undefined) return known.client;
      const made = openWorkspace({
        store,
        ports: here.ports,
        tab,
        person: session.person,
        ref: () => workspacesNow().find(({ id }) => id === found.id) ?? found,
        workspaces: workspacesNow,
        config: opened.configuration,
        care,
      });
      workspaces.set(found.id, made);
      return made.client;
    },
    update,
    applyUpdate: () => {
      // What can't be stored any more is copied beside the database, see last-words.ts.
      void flush()
        .catch(ports.report)
        .then(() => ports.updates?.apply());
    },
    close: async () => {
      await entering;
      stopPage();
      isClosed = true;
      await leave();
      bus.close();
      index.close();
    },
  };
}

async function indexOf(ports: Ports): Promise<Index> {
  if (ports.indexedDB !== null) {
    try {
      return await openIndex(ports.indexedDB);
    } catch (error) {
      // As with a person's own: what is there and can't be read isn't passed over.
      if (!isBlocked(error)) throw error;
    }
  }
  const { memoryIndex } = await import("../store/memory-index.ts");
  return memoryIndex();
}
