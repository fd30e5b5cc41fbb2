// Keeps the note of what waits (waiting.ts) as the outbox is, in every tab, and finds out at the opening, or when the
// database is replaced under a running tab, that something was noted of another database which isn't in this one.
// Whatever of that turns up after all, in the outbox of a tab that had it in memory or in a room's history, is lost no more.
import { myStateId } from "#protocol/entities/keys.ts";
import { putDatabaseId, readDatabaseId } from "../store/database-id.ts";
import { readEntity } from "../store/entities.ts";
import { messageById } from "../store/messages.ts";
import { nextPlace } from "../store/next-place.ts";
import { readOutbox } from "../store/outbox.ts";
import type { Change, Store } from "../store/store.ts";
import type { OutboxRecord, TableName } from "../store/schema.ts";
import { inTime } from "./holding.ts";
import type { Note } from "./journal.ts";
import type { Notes, Ports } from "./ports.ts";
import { subjectOf } from "./subject-of.ts";
import {
  changeLost,
  countOf,
  directoryOf,
  idsOf,
  readNote,
  waitingOf,
  without,
  withLost,
  writeNote,
  type Lost,
  type Waiting,
  type WaitingNote,
  type WaitingText,
} from "./waiting.ts";

export interface WaitingDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, "locks" | "newId" | "report" | "timers">;
  readonly notes: Notes;
  /** The person's database. */
  readonly name: string;
  readonly note: (note: Note) => void;
  /** Whether there is something that the person has to hear of. */
  readonly tell: (isLost: boolean) => void;
}

/** Between two looks; the first change is noted at once. */
const PAUSE_MS = 500;
/** What was delivered without a tab comes back with the newest pages, before anything is said. */
const SAID_AFTER_MS = 10_000;
const WATCHED: readonly TableName[] = ["outbox", "drafts", "meta"];
/** Where what seemed lost may turn up. */
const FOUND_IN: readonly TableName[] = [...WATCHED, "messages", "entities"];

export interface WaitingWatch {
  /** Which one was looked at last; null before that. */
  readonly database: () => string | null;
  readonly close: () => void;
}

export function watchWaiting(deps: WaitingDeps): WaitingWatch {
  const { store, ports, notes, name } = deps;
  let state: "idle" | "looking" | "again" = "idle";
  let timer: unknown = null;
  /** Until then what is lost may still turn up. */
  let grace: unknown = null;
  let isSaid = false;
  let watched = WATCHED;
  let lookedAt: string | null = null;
  let isClosed = false;

  const look = (): void => {
    if (isClosed) return;
    if (state !== "idle") {
      state = "again";
      return;
    }
    state = "looking";
    void alone(ports, `${name}/waiting`, run)
      .catch((error: unknown) => {
        // A database that is being taken away or can't be read says so elsewhere.
        if (!(error instanceof DOMException)) ports.report(error);
      })
      .finally(() => {
        if (isClosed) return;
        timer = ports.timers.set(() => {
          const isDue = state === "again";
          state = "idle";
          if (isDue) look();
        }, PAUSE_MS);
      });
  };

  const run = async (): Promise<void> => {
    if (isClosed) return;
    const { database, ops, waiting } = await store.read(["meta", "outbox", "drafts"], async (tx) => {
      const [known, all, drafts] = await Promise.all([readDatabaseId(tx), readOutbox(tx), tx.all("drafts")]);
      return { database: known, ops: all, waiting: waitingOf(all, drafts) };
    });
    if (isClosed) return;
    const before = readNote(notes, name);
    const isOld = before !== null && (before.database !== database || (await isOlder(before, ops, idsOf(waiting))));
    if (isClosed) return;
    // What is lost is stored first: whoever ends here finds it so the next time.
    if (before !== null && isOld === true) takeOver(before, waiting);
    // Where nobody can tell, what is noted stays for the next look.
    if (isOld === null) return say(await present(waiting));
    lookedAt = database ?? (await identified());
    if (isClosed) return;
    const last = ops.at(-1);
    writeNote(notes, name, {
      ...waiting,
      database: lookedAt,
      ...(last && { last: { op: last.id, place: last.place } }),
    });
    say(await present(waiting));
  };

  /**
   * Whether the database has come back as it was before that was noted of it, as behind a power cut on a disk that promised
   * too much: what is missing isn't done with then. It is so from its opening on, or not at all. Null where nothing can be
   * stored now, and so nobody can tell.
   */
  const isOlder = async (
    noted: WaitingNote,
    ops: readonly OutboxRecord[],
    here: Set<string>,
  ): Promise<boolean | null> => {
    const { last, texts, rest } = noted;
    if (lookedAt !== null || last === undefined || [...texts, ...rest].every(({ op }) => here.has(op))) return false;
    // A place is given once; what has been written since the opening may have been given it anew.
    if (ops.some(({ id, place }) => place === last.place && id !== last.op)) return true;
    return inTime(ports.timers, nextPlace(store)).then(
      (place) => place <= last.place,
      () => null,
    );
  };

  /** One that has no id yet: made just now, or by an older build. */
  const identified = (): Promise<string> =>
    store.write({ tables: ["meta"], durability: "strict" }, async (tx) => {
      const known = await readDatabaseId(tx);
      const own = known ?? ports.newId();
      if (known === null) putDatabaseId(tx, own);
      return own;
    });

  const takeOver = (before: Waiting, waiting: Waiting): void => {
    const here = idsOf(waiting);
    const gone = without(here, { ...before, isTold: false });
    if (gone === null || countOf(gone) === 0) return;
    changeLost(notes, name, (was) => withLost(was, gone));
    deps.note({ kind: "storage", what: "unsent-gone", count: countOf(gone) });
  };

  /** What is lost, without what turned up. */
  const present = async (waiting: Waiting): Promise<Lost | null> => {
    const known = changeLost(notes, name, (was) => was);
    if (known === null) return null;
    const found = idsOf(waiting);
    for (const text of known.texts) if (await isFound(deps, text, waiting)) found.add(text.op);
    return changeLost(notes, name, (was) => without(found, was));
  };

  const say = (known: Lost | null): void => {
    if (isClosed) return;
    watched = known === null ? WATCHED : FOUND_IN;
    const isNews = known !== null && !known.isTold;
    if (!isNews) {
      ports.timers.clear(grace);
      grace = null;
      isSaid = false;
      return deps.tell(false);
    }
    if (isSaid) return deps.tell(true);
    grace ??= ports.timers.set(() => {
      isSaid = true;
      look();
    }, SAID_AFTER_MS);
  };

  const stop = store.listen((commit) => {
    if (commit.some((change: Change) => watched.includes(change.table))) look();
  });
  look();
  return {
    database: () => lookedAt,
    close: () => {
      isClosed = true;
      stop();
      ports.timers.clear(timer);
      ports.timers.clear(grace);
    },
  };
}

/** Two tabs that note at the same time would leave the older state behind. */
function alone(ports: Pick<Ports, "locks">, name: string, work: () => Promise<void>): Promise<void> {
  return ports.locks === null ? work() : ports.locks.request(name, {}, work);
}

/** Sent after all, or again: a message is known by its id, other texts by themselves. */
async function isFound({ store, name }: WaitingDeps, lost: WaitingText, waiting: Waiting): Promise<boolean> {
  const { room, channel, message, root, text } = lost;
  if (message !== null) {
    const isSame = (each: WaitingText): boolean => lost.kind === "post" || each.text === text;
    if (waiting.texts.some((each) => each.message === message && isSame(each))) return true;
    const held = await store.read(["messages"], (tx) => messageById(tx, room, message));
    return held !== undefined && (lost.kind === "post" || held.deleted || held.text === text);
  }
  const isIn = (standing: string): boolean => standing.includes(text);
  if (waiting.texts.some((each) => each.message === null && each.channel === channel && isIn(each.text))) return true;
  const directory = directoryOf(lost);
  if (directory === null) return false;
  const own = { kind: "draft" as const, id: myStateId(subjectOf(name), channel, root ?? undefined) };
  const known = (await store.read(["entities"], (tx) => readEntity(tx, directory, own)))?.entity;
  return known?.kind === "draft" && !known.deleted && isIn(known.text);
}
