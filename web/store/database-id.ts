// Table `meta`: which database this is. One that was made anew under the same name has another id, or none yet.
import type { ReadTx, WriteTx } from "./tx.ts";

export async function readDatabaseId(tx: ReadTx): Promise<string | null> {
  const record = await tx.get("meta", "database");
  return record?.key === "database" ? record.id : null;
}

export function putDatabaseId(tx: WriteTx, id: string): void {
  tx.put("meta", { key: "database", id });
}
