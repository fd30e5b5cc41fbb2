// The search worker's whole life, apart from being a worker: opens what it reads, keeps the index, answers.
import type { RoomName } from "#protocol/room-name.ts";
import { searchDatabase } from "../../store/remove-database.ts";
import type { Bus, Commit } from "../../store/store.ts";
import type { Answer, Extent, FromWorker, Hit, ToWorker, WorkerStatus } from "./asked.ts";
import type { Coverage } from "./coverage.ts";
import { createIndexer, type Indexer } from "./indexer.ts";
import { openKept, type Kept } from "./kept.ts";
import { docOf, isMatch } from "./query.ts";
import { fedReader, openReader, type Reader } from "./reader.ts";
import { SearchIndex, type Asked } from "./search-index.ts";

export interface ServeDeps {
  readonly factory: IDBFactory | null;
  readonly openBus: (name: string) => Bus;
  readonly storage: Pick<StorageManager, "estimate"> | null;
  readonly send: (message: FromWorker) => void;
  readonly report: (error: unknown) => void;
}

/** News to the page at most so often. */
const TELL_EVERY_MS = 200;
/** Quiet for so long, the index is stored. */
const KEEP_AFTER_MS = 3_000;
/** While a great deal is being read it is stored so often. */
const KEEP_EVERY_MS = 20_000;
/** Of the quota so much stays free for what can't be made again. */
const QUOTA_SHARE = 0.8;
/** Where it is to go, a tab that is frozen over it doesn't let go of it, and whoever would open it waits for that. */
const OPENS_WITHIN_MS = 3_000;
/** A result that the replica no longer bears out is looked for anew, so often. */
const TRIES = 3;

export interface Serving {
  readonly hear: (message: ToWorker) => void;
  /** Stores the index now; by itself it does so when all is quiet. */
  readonly keep: () => Promise<void>;
  readonly close: () => void;
}

export function serveSearch(deps: ServeDeps): Serving {
  const { send } = deps;
  let opened: Promise<Opened> | null = null;
  let isClosed = false;

  const gone = (): void => {
    if (isClosed) return;
    close();
    send({ type: "gone" });
  };
  const close = (): void => {
    isClosed = true;
    void opened?.then((search) => search.close()).catch(() => undefined);
  };
  const failed = (error: unknown): void => {
    if (!isClosed) deps.report(error);
    gone();
  };

  return {
    hear: (message) => {
      if (message.type === "open") {
        opened ??= open(deps, message, gone);
        opened.then((search) => search.catchUp()).catch(failed);
        return;
      }
      opened
        ?.then(async (search) => {
          if (message.type === "commit") search.hear(message.commit);
          else if (message.type === "recheck") await search.catchUp();
          else {
            const { id, rooms, asked } = message;
            const answer = await search.answer(rooms, asked);
            send({ type: "answer", id, answer });
          }
        })
        .catch((error: unknown) => {
          if (message.type === "ask") send({ type: "failed", id: message.id });
          failed(error);
        });
    },
    keep: async () => (await opened)?.keep(),
    close,
  };
}

interface Opened {
  readonly catchUp: () => Promise<void>;
  readonly hear: (commit: Commit) => void;
  readonly answer: (rooms: string, asked: Asked | null) => Promise<Answer>;
  readonly keep: () => Promise<void>;
  readonly close: () => void;
}

async function open(
  deps: ServeDeps,
  { name, isFed }: Extract<ToWorker, { readonly type: "open" }>,
  gone: () => void,
): Promise<Opened> {
  const { factory, send } = deps;
  const fed = isFed || factory === null ? fedReader() : null;
  // Commits are heard from before anything is read, so that none falls between.
  const early: Commit[] = [];
  let indexer: Indexer | null = null;
  const hear = (commit: Commit): void => {
    if (indexer === null) return void early.push(commit);
    for (const change of commit) fed?.take(change);
    indexer.hear(commit);
  };
  const bus = fed === null ? deps.openBus(name) : null;
  bus?.listen((message) => {
    if (isCommit(message)) hear(message.commit);
  });

  let kept: Kept | null = null;
  const drop = (): void => {
    kept?.close();
    kept = null;
  };
  const reader: Reader = fed ?? (await openReader(factory as IDBFactory, name, gone));
  let loaded: { readonly parts: SearchIndex; readonly covered: Map<RoomName, Coverage> } = {
    parts: new SearchIndex(),
    covered: new Map(),
  };
  if (fed === null && factory !== null) {
    try {
      kept = await inTime(openKept(factory, searchDatabase(name), drop));
      const { parts, covered } = await kept.load();
      loaded = { parts: new SearchIndex(parts), covered };
    } catch {
      // Broken, blocked, or of a newer build: the index is made again and lives as long as this worker.
      drop();
    }
  }
  const { parts: index, covered } = loaded;

  let told: WorkerStatus | null = null;
  let tellTimer: ReturnType<typeof setTimeout> | undefined;
  let keepTimer: ReturnType<typeof setTimeout> | undefined;
  let keptAt = 0;
  let storedVersion = index.version;

  const tell = (): void => {
    tellTimer = undefined;
    const state = indexer?.isPlanned() === true ? "ready" : "opening";
    const status: WorkerStatus = { state, todo: indexer?.todo() ?? 0, version: index.version };
    if (JSON.stringify(status) === JSON.stringify(told)) return;
    told = status;
    send({ type: "status", status });
  };
  const keep = async (): Promise<void> => {
    keepTimer = undefined;
    keptAt = Date.now();
    if (kept === null || index.version === storedVersion) return;
    storedVersion = index.version;
    try {
      if ((await hasRoom(deps.storage, index)) && (await kept.save(index, covered)) === "saved") return;
    } catch {
      // Full, or closed under us. What is stored stays good: it says itself what it covers.
    }
    drop();
  };
  const changed = (): void => {
    tellTimer ??= setTimeout(tell, TELL_EVERY_MS);
    const isDue = Date.now() - keptAt >= KEEP_EVERY_MS;
    if (keepTimer !== undefined && !isDue) clearTimeout(keepTimer);
    else if (keepTimer !== undefined) return;
    keepTimer = setTimeout(() => void keep(), isDue ? 0 : KEEP_AFTER_MS);
  };
  /** Counting all of it is slower than most questions. */
  let counted: { readonly version: number; readonly rooms: string; readonly extent: Extent } | null = null;
  const extentOf = (rooms: string, isIn: (room: string) => boolean): Extent => {
    const { version } = index;
    if (counted?.version !== version || counted.rooms !== rooms)
      counted = { version, rooms, extent: index.extent(isIn) };
    return counted.extent;
  };
  keptAt = Date.now();
  indexer = createIndexer({ reader, index, covered, changed });
  early.splice(0).forEach(hear);
  tell();

  return {
    hear,
    catchUp: async () => {
      await indexer.catchUp();
      while (index.tidy());
      tell();
    },
    answer: async (rooms, asked) => {
      const isIn = (room: string): boolean => room.startsWith(rooms);
      const answer = asked === null ? { total: 0, hits: [] } : await hitsOf(index, reader, asked, isIn);
      return { ...answer, extent: extentOf(rooms, isIn) };
    },
    keep,
    close: () => {
      clearTimeout(tellTimer);
      clearTimeout(keepTimer);
      bus?.close();
      reader.close();
      drop();
    },
  };
}

/** One that comes too late is closed again. */
function inTime(opening: Promise<Kept>): Promise<Kept> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      reject(new Error("the kept index can't be had for now"));
    }, OPENS_WITHIN_MS);
    opening.then((kept) => (isLate ? kept.close() : resolve(kept)), reject).finally(() => clearTimeout(late));
  });
}

/** Shown is only what the replica holds now: a result that it doesn't bear out is put right and looked for anew. */
async function hitsOf(
  index: SearchIndex,
  reader: Reader,
  asked: Asked,
  isIn: (room: string) => boolean,
): Promise<Pick<Answer, "total" | "hits">> {
  for (let tries = 1; ; tries += 1) {
    const { total, places } = index.find(asked, isIn);
    const { version } = index;
    const messages = await reader.at(places);
    // What was heard meanwhile may be newer than what was read, as where a message went and came back.
    const isAsOf = index.version === version;
    const hits: Hit[] = [];
    places.forEach((place, at) => {
      const room = place.room as RoomName;
      const message = messages[at];
      const doc = message === undefined ? null : docOf(room, message);
      if (message !== undefined && !message.deleted && doc !== null && isMatch(doc, asked.query)) {
        hits.push({ room, message });
      } else if (!isAsOf) return;
      else if (message === undefined || doc === null) index.removeWhere(room, (seq) => seq === place.seq);
      else index.put(doc);
    });
    const staleCount = places.length - hits.length;
    if (staleCount === 0 || tries === TRIES) return { total: total - staleCount, hits };
  }
}

async function hasRoom(storage: ServeDeps["storage"], index: SearchIndex): Promise<boolean> {
  if (storage === null) return true;
  const { usage = 0, quota = Infinity } = await storage.estimate();
  return usage + index.bytes() < quota * QUOTA_SHARE;
}

function isCommit(message: unknown): message is { readonly type: "commit"; readonly commit: Commit } {
  return typeof message === "object" && message !== null && "type" in message && message.type === "commit";
}
