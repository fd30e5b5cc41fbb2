// How many texts of everybody who was here wait on this device, for who stands at the door: as each database has them, and
// what is noted of one that is gone (waiting.ts). The note of a browser that was killed may be a minute old.
import { openIndex } from "../store/index-database.ts";
import { personNames } from "../store/person-names.ts";
import { diskSource } from "../store/export-source.ts";
import type { DraftRecord, OutboxRecord, TableName } from "../store/schema.ts";
import type { Notes } from "./ports.ts";
import { notedBeyond, notedPeople, textsOf } from "./waiting.ts";

interface Here {
  readonly indexedDB: IDBFactory;
  readonly notes: Notes;
  /** The names of all that is noted there. */
  readonly noted: readonly string[];
  readonly report: (error: unknown) => void;
}

export async function unsentTextCount({ indexedDB: factory, notes, noted, report }: Here): Promise<number> {
  const here = await personNames(factory, noted);
  const index = await openIndex(factory);
  try {
    const texts = new Set<string>();
    for (const name of new Set([...here, ...notedPeople(noted)])) {
      // Of one that is broken, what was noted is all there is.
      const held = await heldBy(factory, name).catch((error: unknown) => {
        report(error);
        return NOTHING;
      });
      const beyond = notedBeyond(notes, name, held.database, (await index.beside(name)) ?? {});
      for (const { op } of [...textsOf(held.ops, held.drafts), ...beyond]) texts.add(op);
    }
    return texts.size;
  } finally {
    index.close();
  }
}

interface Held {
  readonly database: string | null;
  readonly ops: readonly OutboxRecord[];
  readonly drafts: readonly DraftRecord[];
}

const NOTHING: Held = { database: null, ops: [], drafts: [] };

/** A build of any age has left it so: one of a newer build than this is read as far as it is alike. */
async function heldBy(factory: IDBFactory, name: string): Promise<Held> {
  const source = await diskSource(factory, name);
  if (source === null) return NOTHING;
  const rows = async <T>(table: TableName): Promise<readonly T[]> => {
    const all: T[] = [];
    for await (const page of source.rows(table)) all.push(...(page as readonly T[]));
    return all;
  };
  try {
    const meta = await rows<{ readonly key: string; readonly id?: string }>("meta");
    return {
      database: meta.find(({ key }) => key === "database")?.id ?? null,
      ops: await rows("outbox"),
      drafts: await rows("drafts"),
    };
  } finally {
    source.close();
  }
}
