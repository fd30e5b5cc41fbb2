// Table `meta`: a copy of what composers and editors hold beside the database.
import type { ReadTx, WriteTx } from "./tx.ts";

export interface Beside {
  /** What is held there, by the name of its place. */
  readonly places: Readonly<Record<string, string>>;
  /** Of copies by whichever tab: the later the higher. Epoch ms, or more where the clock was set back. */
  readonly version: number;
}

/** Null before the first copy. */
export async function readBeside(tx: ReadTx): Promise<Beside | null> {
  const record = await tx.get("meta", "beside");
  return record?.key === "beside" ? record.beside : null;
}

/** @returns the version that stood in its way, being no earlier; null where it is stored */
export async function putBeside(tx: WriteTx, beside: Beside): Promise<number | null> {
  const known = await readBeside(tx);
  if (known !== null && known.version >= beside.version) return known.version;
  tx.put("meta", { key: "beside", beside });
  return null;
}
