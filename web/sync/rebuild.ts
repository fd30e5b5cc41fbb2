// A database that can't be read any more, made anew while the app runs. What the tabs hold in memory of outbox, drafts and
// directory they store again by themselves (recover.ts); what no tab holds is read from the old one first, as far as that
// goes. Messages come back from the rooms.
import type { WorkspaceId } from "#protocol/ids.ts";
import { openDatabase } from "../store/database.ts";
import { diskSource, type ExportSource } from "../store/export-source.ts";
import { removePersonDatabase } from "../store/remove-database.ts";
import { workspaceOf } from "../store/outbox.ts";
import { draftKey } from "../store/replica.ts";
import { MIGRATIONS, type DraftRecord, type MetaRecord, type OutboxRecord, type TableName } from "../store/schema.ts";
import { restore, type Known } from "./restore.ts";

export interface Rebuilding {
  readonly factory: IDBFactory;
  /** The person's database. */
  readonly name: string;
  /** Whose outbox and drafts this tab has in memory. */
  readonly held: ReadonlySet<WorkspaceId>;
  /** All that the person is in. */
  readonly workspaces: readonly WorkspaceId[];
  /** Told to remove also what was written and can't be read. */
  readonly withoutUnread: boolean;
  readonly newId: () => string;
}

/** `unread`: nothing was done, for something unsent is neither in memory nor readable. `reload`: to see all of it. */
export type Rebuilt = "done" | "reload" | "unread";

export async function rebuild(what: Rebuilding): Promise<Rebuilt> {
  const { factory, name, held } = what;
  const saved = await savedFrom(factory, name);
  const isAllHeld = held.size > 0 && what.workspaces.every((workspace) => held.has(workspace));
  if (saved.isWhole || isAllHeld || what.withoutUnread) {
    const missing = saved.known.filter(({ workspace }) => !held.has(workspace));
    await removePersonDatabase(factory, name);
    if (missing.length > 0) await storeAll(what, missing, saved.isByChoice);
    return isAllHeld ? "done" : "reload";
  }
  return "unread";
}

interface Saved {
  readonly known: readonly Known[];
  /** The person chose to be. */
  readonly isByChoice: boolean;
  /** Nothing unsent was unreadable. */
  readonly isWhole: boolean;
}

async function savedFrom(factory: IDBFactory, name: string): Promise<Saved> {
  const source = await diskSource(factory, name).catch(() => null);
  if (source === null) return { known: [], isByChoice: false, isWhole: false };
  try {
    const ops: OutboxRecord[] = [];
    const drafts: DraftRecord[] = [];
    const areOpsWhole = await readInto(ops, source, "outbox");
    const areDraftsWhole = await readInto(drafts, source, "drafts");
    const meta: MetaRecord[] = [];
    await readInto(meta, source, "meta");
    const isByChoice = meta.some((record) => record.key === "workOffline" && record.on);
    return { known: knownOf(ops, drafts), isByChoice, isWhole: areOpsWhole && areDraftsWhole };
  } finally {
    source.close();
  }
}

/** What stands before the first that can't be read; answers whether that is all. */
async function readInto(rows: unknown[], source: ExportSource, table: TableName): Promise<boolean> {
  try {
    for await (const page of source.rows(table)) rows.push(...page);
    return true;
  } catch {
    return false;
  }
}

function knownOf(ops: readonly OutboxRecord[], drafts: readonly DraftRecord[]): readonly Known[] {
  const workspaces = new Set([...ops.map(workspaceOf), ...drafts.map(({ workspace }) => workspace)]);
  return [...workspaces].flatMap((workspace) => {
    if (workspace === null) return [];
    const own = drafts.filter((draft) => draft.workspace === workspace);
    return {
      workspace,
      rooms: new Map(),
      entities: () => [],
      heads: new Map(),
      drafts: new Map(own.map((draft) => [draftKey(draft.channel, draft.root), draft])),
      outbox: () => ops.filter((op) => workspaceOf(op) === workspace),
    };
  });
}

async function storeAll(
  { factory, name, newId }: Rebuilding,
  missing: readonly Known[],
  isByChoice: boolean,
): Promise<void> {
  const db = await openDatabase(factory, name, MIGRATIONS, { onClosed: () => undefined });
  try {
    for (const known of missing) await restore(db, known, { newId, isByChoice, lost: null });
  } finally {
    db.close();
  }
}
