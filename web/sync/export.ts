// What is on this device as NDJSON, one record a line: first what nobody else has (the outbox, drafts), then the directory,
// then messages. Made line by line, so that a large replica is never in memory twice.
import type { ExportSource } from "../store/export-source.ts";
import type { TableName } from "../store/schema.ts";

export interface ExportAbout {
  /** Epoch ms. */
  readonly at: number;
  readonly person: string;
  readonly build: string;
}

/** The form of the lines; raised when a reader must know. */
const EXPORT_VERSION = 1;

/** table → what its lines are called. What is left out says nothing to a person: leases, cursors, numbers. */
const PARTS: readonly (readonly [table: TableName, kind: string])[] = [
  ["outbox", "op"],
  ["drafts", "draft"],
  ["entities", "entity"],
  ["messages", "message"],
];

/** Each line ends in a line feed. `kind` says what the rest of a line is: that record as it is stored. */
export async function* exportLines(
  source: ExportSource,
  about: ExportAbout,
  tables: readonly TableName[] = PARTS.map(([table]) => table),
): AsyncGenerator<string> {
  yield line({ kind: "causeway-device", version: EXPORT_VERSION, ...about });
  for (const [table, kind] of PARTS) {
    if (!tables.includes(table)) continue;
    try {
      for await (const rows of source.rows(table)) {
        for (const row of rows) yield line({ kind, ...(row as object) });
      }
    } catch (error) {
      // A damaged table must not keep the others from being saved, but it isn't passed over either.
      if (!(error instanceof DOMException)) throw error;
      yield unreadableLine(table, error);
    }
  }
}

export function unreadableLine(table: TableName | "*", { name }: DOMException): string {
  return line({ kind: "unreadable", table, why: name });
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
