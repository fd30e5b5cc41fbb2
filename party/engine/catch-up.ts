// Pages of what changed after a rev ([SY1], [SY2]). Reads the index and each entity's latest state; an index entry
// whose entity changed again later is skipped, since it comes later in the same catching up.
import type { Entity } from "#protocol/entities/entity.ts";
import { CHANGES_PAGE_MAX, PAGE_MAX_BYTES } from "#protocol/limits.ts";
import type { RoomStorage } from "./host.ts";
import { asEntity, entityRow, keyOf } from "./keys.ts";
import { INDEX_PREFIX, indexKey, type IndexEntry, type Stem } from "./log.ts";

export interface Page {
  readonly from: number;
  readonly to: number;
  readonly entities: readonly Entity[];
  readonly more: boolean;
}

/** What a viewer sees of an entity: none, itself, or itself and what came into sight with it. */
export type Project = (entity: Entity) => readonly Entity[];

/** Index entries looked at for one page, so that a viewer who sees little doesn't hold up the room. */
const SCAN_MAX_REVS = 4_096;
const INDEX_PAGES_AT_ONCE = 4;
const ENTITIES_AT_ONCE = 128;

export async function changesAfter(
  storage: RoomStorage,
  stem: Pick<Stem<unknown>, "head" | "tail">,
  since: number,
  project: Project,
  {
    limit = CHANGES_PAGE_MAX,
    maxBytes = PAGE_MAX_BYTES,
    until = 0,
  }: {
    readonly limit?: number | undefined;
    readonly maxBytes?: number;
    /** The page goes on to this rev at least. */
    readonly until?: number;
  } = {},
): Promise<Page> {
  const most = Math.min(CHANGES_PAGE_MAX, Math.max(1, limit));
  const page = new Map<string, Entity>();
  let bytes = 0;
  let to = since;
  let scanned = 0;
  for await (const { rev, entities } of changed(storage, stem, since)) {
    const fresh = entities
      .flatMap((entity) => project(entity))
      .filter((entity) => page.get(keyOf(entity))?.rev !== entity.rev);
    const size = fresh.reduce((sum, entity) => sum + bytesOf(entity), 0);
    const isFull = page.size + fresh.length > most || bytes + size > maxBytes || scanned >= SCAN_MAX_REVS;
    // A page holds at least one rev, whatever its size.
    if (isFull && to > Math.max(since, until - 1)) return { from: since, to, entities: [...page.values()], more: true };
    for (const entity of fresh) page.set(keyOf(entity), entity);
    bytes += size;
    scanned += 1;
    to = rev;
  }
  return { from: since, to: stem.head, entities: [...page.values()], more: false };
}

/** The revs after `since`, oldest first, each with the entities that last changed in it. */
async function* changed(
  storage: RoomStorage,
  stem: Pick<Stem<unknown>, "head" | "tail">,
  since: number,
): AsyncGenerator<{ rev: number; entities: readonly Entity[] }> {
  for await (const batch of batches(storage, stem, since)) {
    const rows = await storage.get([...new Set(batch.flatMap(([, keys]) => keys.map((key) => entityRow(key))))]);
    for (const [rev, keys] of batch) {
      const entities = keys.map((key) => asEntity(rows.get(entityRow(key))));
      yield { rev, entities: entities.filter((entity) => entity?.rev === rev) as Entity[] };
    }
  }
}

async function* batches(
  storage: RoomStorage,
  stem: Pick<Stem<unknown>, "tail">,
  since: number,
): AsyncGenerator<readonly IndexEntry[]> {
  let reached = since;
  const first = stem.tail[0]?.[0];
  if (first === undefined || first > since + 1) {
    for (;;) {
      const pages = await storage.list({
        prefix: INDEX_PREFIX,
        start: indexKey(reached + 1),
        limit: INDEX_PAGES_AT_ONCE,
      });
      for (const [key, page] of pages) {
        yield* inBatches((page as readonly IndexEntry[]).filter(([rev]) => rev > since));
        reached = Number(key.slice(INDEX_PREFIX.length));
      }
      if (pages.size < INDEX_PAGES_AT_ONCE) break;
    }
  }
  yield* inBatches(stem.tail.filter(([rev]) => rev > since));
}

/** Few enough keys for one read, a rev never split. */
function* inBatches(entries: readonly IndexEntry[]): Generator<readonly IndexEntry[]> {
  let batch: IndexEntry[] = [];
  let keys = 0;
  for (const entry of entries) {
    if (batch.length > 0 && keys + entry[1].length > ENTITIES_AT_ONCE) {
      yield batch;
      batch = [];
      keys = 0;
    }
    batch.push(entry);
    keys += entry[1].length;
  }
  if (batch.length > 0) yield batch;
}

/** As JSON; near enough without encoding: texts of other scripts take up to three bytes a unit. */
export function bytesOf(value: unknown): number {
  const text = JSON.stringify(value);
  // oxlint-disable-next-line no-control-regex -- ASCII is what is looked for
  return /^[\u0000-\u007F]*$/.test(text) ? text.length : new TextEncoder().encode(text).length;
}
