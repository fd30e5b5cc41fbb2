// What is on this device as a file to keep, in whatever form it is. Needs nothing of the app to work, so that it works when
// the app doesn't.
import { diskSource } from "../store/export-source.ts";
import { OF_A_PERSON } from "../store/index-database.ts";
import { exportLines } from "../sync/export.ts";

/** Lines put together before they become a part of the file, which the browser may keep on disk. */
const CHUNK = 1_000;

/**
 * Answers whether there was anything.
 * @param of the database of whoever is here; everybody's where nobody can tell who that is
 */
export async function exportDevice(fileName: string, of?: string): Promise<boolean> {
  const parts = await deviceParts(indexedDB, of);
  if (parts.length > 0) save(new Blob(parts, { type: "application/x-ndjson" }), fileName);
  return parts.length > 0;
}

export async function deviceParts(factory: IDBFactory, of?: string): Promise<Blob[]> {
  const known = (await factory.databases()).map(({ name = "" }) => name);
  // What somebody else who was here left to be sent is not theirs to read who are here now ([OP11]).
  const names = known.filter((name) => (of === undefined ? name.startsWith(OF_A_PERSON) : name === of));
  const parts: Blob[] = [];
  for (const name of names) {
    const source = await diskSource(factory, name);
    if (source === null) continue;
    let lines: string[] = [];
    const person = name.slice(OF_A_PERSON.length);
    for await (const line of exportLines(source, { at: Date.now(), person, build: "" })) {
      lines.push(line);
      if (lines.length < CHUNK) continue;
      parts.push(new Blob(lines));
      lines = [];
    }
    parts.push(new Blob(lines));
    source.close();
  }
  return parts;
}

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
