// Whether what is stored can be read, asked over a connection of its own: what another one failed with may be its own
// trouble, or that of a database that was replaced meanwhile.
import { diskSource, type ExportSource } from "./export-source.ts";
import { isBroken } from "./faults.ts";
import { TABLES, type TableName } from "./schema.ts";

/** `gone`: it was removed, before it was asked or in the middle of it, so that nothing is known. */
export type Readability = "whole" | "broken" | "gone";

export async function readabilityOf(factory: IDBFactory, name: string): Promise<Readability> {
  try {
    const source = await diskSource(factory, name);
    if (source === null) return "gone";
    await readAll(source).finally(source.close);
    return "whole";
  } catch (error) {
    return isBroken(error) ? "broken" : "gone";
  }
}

async function readAll(source: ExportSource): Promise<void> {
  for (const table of Object.keys(TABLES) as TableName[]) {
    const pages = source.rows(table)[Symbol.asyncIterator]();
    while ((await pages.next()).done !== true);
  }
}
