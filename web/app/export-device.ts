// What is on this device as a file to keep, in whatever form it is, and what is noted beside it of what waits. Needs nothing
// of the app to work, so that it works when the app doesn't.
import { namesNoted } from "../features/names-noted.ts";
import { diskSource } from "../store/export-source.ts";
import { OF_A_PERSON } from "../store/index-database.ts";
import { personNames } from "../store/person-names.ts";
import { exportLines, unreadableLine } from "../sync/export.ts";
import type { Notes } from "../sync/ports.ts";
import { notedBeyond, notedLines, notedPeople } from "../sync/waiting.ts";

/** Lines put together before they become a part of the file, which the browser may keep on disk. */
const CHUNK = 1_000;

export interface DeviceToExport {
  readonly factory: IDBFactory;
  readonly notes: Notes;
  /** The keys of all notes. */
  readonly noted: readonly string[];
  /** The database of whoever is here; everybody's where nobody can tell who that is. */
  readonly of?: string;
}

/** Answers whether there was anything. */
export async function exportDevice(fileName: string, of?: string): Promise<boolean> {
  const here = { factory: indexedDB, notes: () => localStorage, noted: namesNoted() };
  const parts = await deviceParts({ ...here, ...(of !== undefined && { of }) });
  if (parts.length > 0) save(new Blob(parts, { type: "application/x-ndjson" }), fileName);
  return parts.length > 0;
}

export async function deviceParts({ factory, notes, noted, of }: DeviceToExport): Promise<Blob[]> {
  // What somebody else who was here left to be sent is not theirs to read who are here now ([OP11]).
  const names = of === undefined ? new Set([...(await personNames(factory, noted)), ...notedPeople(noted)]) : [of];
  const parts: Blob[] = [];
  for (const name of names) {
    // Whatever of it stands in the database as well: nobody can tell what is read of that.
    const beyond = notedLines(notedBeyond(notes, name, null, {}));
    let lines: string[] = [];
    try {
      for await (const line of linesOf(factory, name)) {
        lines.push(line);
        if (lines.length < CHUNK) continue;
        parts.push(new Blob(lines));
        lines = [];
      }
    } catch (error) {
      // One that can't be opened must not keep the others, and what is noted of it, from being saved. By itself it is nothing.
      if (!(error instanceof DOMException)) throw error;
      if (beyond.length > 0) lines.push(unreadableLine("*", error));
    }
    const rest = new Blob([...lines, ...beyond]);
    if (rest.size > 0) parts.push(rest);
  }
  return parts;
}

async function* linesOf(factory: IDBFactory, name: string): AsyncGenerator<string> {
  const source = await diskSource(factory, name);
  if (source === null) return;
  try {
    yield* exportLines(source, { at: Date.now(), person: name.slice(OF_A_PERSON.length), build: "" });
  } finally {
    source.close();
  }
}

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
