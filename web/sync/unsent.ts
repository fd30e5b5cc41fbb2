// What a person has on this device that nobody else has yet, in whichever of their workspaces.
import type { OpId } from "#protocol/ids.ts";
import { waits } from "../store/needs.ts";
import { isCounted, readOutbox } from "../store/outbox.ts";
import type { ExportSource } from "../store/export-source.ts";
import type { EntityRecord, OutboxRecord } from "../store/schema.ts";
import { cell } from "../store/source.ts";
import type { Store } from "../store/store.ts";
import type { ReadTx } from "../store/tx.ts";
import type { Loaded, View } from "../store/view.ts";
import type { Ports } from "./ports.ts";
import { exportLines, type ExportAbout } from "./export.ts";

/** So long a person who signs out waits for a draft; ms. */
const SYNCED_WITHIN_MS = 2_000;

export interface Unsent {
  /** On their way, by themselves. */
  readonly waiting: ReadonlySet<OpId>;
  /** The person has to see to them: they were refused, or wait for what was. */
  readonly refused: ReadonlySet<OpId>;
  /** Drafts that no other device has: they can't leave this one, or haven't yet. */
  readonly draftCount: number;
  readonly unsyncedDraftCount: number;
  /** It can't be read, so nobody knows how much it is. */
  readonly isUnread?: true;
}

const NONE: Unsent = { waiting: new Set(), refused: new Set(), draftCount: 0, unsyncedDraftCount: 0 };

/** Where nobody's database is open. */
export const NOTHING_UNSENT: View<Loaded<Unsent>> = cell<Loaded<Unsent>>({ state: "ready", value: NONE });

export function unsentView(store: Store, report: (error: unknown) => void): View<Loaded<Unsent>> {
  const unsent = cell<Loaded<Unsent>>({ state: "loading" });
  const read = async (): Promise<void> => unsent.set({ state: "ready", value: await readUnsent(store) });
  const refresh = (): void =>
    void read().catch((error: unknown) => {
      unsent.set({ state: "ready", value: { ...NONE, isUnread: true } });
      report(error);
    });
  return {
    snapshot: unsent.snapshot,
    subscribe: (listener) => {
      const stop = unsent.subscribe(listener);
      const stopStore = store.listen((commit) => {
        if (commit.some(({ table }) => table === "outbox" || table === "drafts")) refresh();
      });
      refresh();
      return () => {
        stop();
        stopStore();
      };
    },
  };
}

export async function readUnsent(store: Store): Promise<Unsent> {
  const [all, kept] = await store.read(["outbox", "drafts"], (tx) => Promise.all([readOutbox(tx), tx.all("drafts")]));
  const ops = all.filter(isCounted);
  const waiting = new Set(goingOf(ops).map(({ id }) => id));
  // Of those of a composer the last counts, and an empty one is the end of it.
  const lastDrafts = new Map(
    all.flatMap(({ room, op, args }) =>
      op === "draft.set" ? [[`${room} ${args.channel} ${args.root ?? ""}`, args.text]] : [],
    ),
  );
  return {
    waiting,
    refused: new Set(ops.map(({ id }) => id).filter((id) => !waiting.has(id))),
    draftCount: kept.filter(({ text }) => text !== "").length,
    unsyncedDraftCount: [...lastDrafts.values()].filter((text) => text !== "").length,
  };
}

/** Those that go by themselves: neither refused nor waiting for what was. */
function goingOf(ops: readonly OutboxRecord[]): readonly OutboxRecord[] {
  const waiting = waits(ops);
  const known = new Map(ops.map((op) => [op.id, op]));
  const isStuck = (op: OutboxRecord | undefined): boolean => {
    if (op === undefined) return false;
    const needed = waiting.get(op.id);
    return op.refusal !== undefined || (needed !== undefined && isStuck(known.get(needed)));
  };
  return ops.filter((op) => !isStuck(op));
}

/**
 * Whether there are words that would go with this device: ops, and drafts that are on no other. The end of a draft is as
 * good as words: without it what was sent stands in the composer again.
 */
export async function hasWords(all: ReadTx["all"]): Promise<boolean> {
  const [ops, drafts] = await Promise.all([all("outbox"), all("drafts")]);
  return drafts.length > 0 || ops.some((op) => isCounted(op) || op.op === "draft.set");
}

/** Resolves when no draft, or its end, is on its way any more; after a while as things are. */
export async function draftsSynced(store: Store, { timers }: Pick<Ports, "timers">): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    if (!(await store.read(["outbox"], readOutbox)).some(({ op }) => op === "draft.set")) resolve();
  };
  const stop = store.listen(() => void look().catch(reject));
  const timer = timers.set(resolve, SYNCED_WITHIN_MS);
  look().catch(reject);
  return promise.finally(() => {
    stop();
    timers.clear(timer);
  });
}

/**
 * As lines of NDJSON: ops and drafts, those too that are in the room: of a workspace that lets the person in no more they
 * can be had nowhere else.
 */
export function unsentLines(stored: ExportSource, about: ExportAbout): AsyncIterable<string> {
  const source: ExportSource = {
    ...stored,
    rows: (table) => (table === "entities" ? syncedDrafts(stored) : stored.rows(table)),
  };
  return exportLines(source, about, ["outbox", "drafts", "entities"]);
}

async function* syncedDrafts(stored: ExportSource): AsyncGenerator<readonly unknown[]> {
  for await (const rows of stored.rows("entities")) {
    yield (rows as readonly EntityRecord[]).filter(({ entity }) => entity.kind === "draft" && !entity.deleted);
  }
}
