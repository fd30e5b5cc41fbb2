// Table `meta`: that somebody asked to sign out, and what is to become of their queue. Stored before the edge is asked, for
// the tab that asks may end before it hears the answer; gone with the database, or when it turns out that they stay.
import { removeDraft } from "./drafts.ts";
import { openAgain } from "./open-again.ts";
import { numbered, readOutbox, removeOp } from "./outbox.ts";
import type { MetaRecord, TableName } from "./schema.ts";
import type { ReadTx, WriteTx } from "./tx.ts";

export type Leaving = Omit<Extract<MetaRecord, { key: "leaving" }>, "key">;

export const LEAVING_TABLES: readonly TableName[] = ["outbox", "drafts", "devices", "meta"];

export async function readLeaving(tx: ReadTx): Promise<Leaving | null> {
  const record = await tx.get("meta", "leaving");
  return record?.key === "leaving" ? record : null;
}

export async function lastPlace(tx: ReadTx): Promise<number> {
  return (await readOutbox(tx)).at(-1)?.place ?? 0;
}

export function putLeaving(tx: WriteTx, asked: Leaving): void {
  tx.put("meta", { ...asked, key: "leaving" });
}

export function removeLeaving(tx: WriteTx): void {
  tx.remove("meta", "leaving");
}

/** What was given up goes, and nothing that was written since; what is left then nobody was asked about. */
export async function dropGivenUp(tx: WriteTx): Promise<void> {
  const leaving = await readLeaving(tx);
  if (leaving?.queue !== "discard") return;
  const outbox = await readOutbox(tx);
  const given = outbox.filter(({ place }) => place <= leaving.upTo);
  for (const op of given) removeOp(tx, op);
  // Their numbers never come: what is behind them in their rooms goes by another device's.
  for (const room of new Set(numbered(given).map((op) => op.room))) {
    tx.remove("devices", room);
    for (const op of numbered(outbox)) if (op.room === room && op.place > leaving.upTo) openAgain(tx, op);
  }
  for (const draft of await tx.all("drafts")) if (draft.at <= leaving.at) removeDraft(tx, draft);
  tx.put("meta", { ...leaving, key: "leaving", queue: "none" });
}
