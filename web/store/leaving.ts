// Table `meta`: that somebody asked to sign out, and what is to become of their queue. Stored before the edge is asked, for
// the tab that asks may end before it hears the answer; gone with the database, or when it turns out that they stay.
import { removeDraft } from "./drafts.ts";
import { openAgain } from "./open-again.ts";
import { isCounted, putOp, readOutbox, removeOp, workspaceOf } from "./outbox.ts";
import { numbered } from "./outbox-course.ts";
import type { DraftRecord, MetaRecord, OutboxRecord, TableName } from "./schema.ts";
import type { ReadTx, WriteTx } from "./tx.ts";

export type Leaving = Omit<Extract<MetaRecord, { key: "leaving" }>, "key">;

export const LEAVING_TABLES: readonly TableName[] = ["outbox", "drafts", "devices", "meta"];

export async function readLeaving(tx: ReadTx): Promise<Leaving | null> {
  const record = await tx.get("meta", "leaving");
  return record?.key === "leaving" ? record : null;
}

/** What stands there at a press: no clock tells it from what is written later, for clocks are set back. */
export async function standing(tx: ReadTx): Promise<Pick<Leaving, "upTo" | "drafts">> {
  const [outbox, drafts] = await Promise.all([readOutbox(tx), tx.all("drafts")]);
  return {
    upTo: outbox.at(-1)?.place ?? 0,
    drafts: [
      ...drafts.map(({ workspace, channel, root, at }) => ({ workspace, channel, root, at })),
      // It becomes one where its room says no meanwhile.
      ...outbox.flatMap((op) => draftOf(op) ?? []),
    ],
  };
}

function draftOf(op: OutboxRecord): Omit<DraftRecord, "text"> | null {
  const workspace = workspaceOf(op);
  if (op.op !== "draft.set" || workspace === null) return null;
  return { workspace, channel: op.args.channel, root: op.args.root ?? "", at: op.at };
}

/** Whether what was given up is all there is of words. Of a press that isn't known nothing was left. */
export async function hasMore(all: ReadTx["all"], press: Leaving | null): Promise<boolean> {
  const [ops, drafts, meta] = await Promise.all([all("outbox"), all("drafts"), all("meta")]);
  const leaving = press ?? meta.find((record) => record.key === "leaving");
  if (leaving === undefined) return false;
  const isLater = (op: OutboxRecord): boolean => op.place > leaving.upTo && (isCounted(op) || op.op === "draft.set");
  return ops.some(isLater) || drafts.some((draft) => !isGivenUp(leaving, draft));
}

/** What stands on a disk that doesn't say so: beside it nobody writes on. */
export const ALL: Pick<Leaving, "upTo"> = { upTo: Number.MAX_SAFE_INTEGER };

function isGivenUp({ upTo, drafts, at }: Leaving, draft: DraftRecord): boolean {
  // By its time where an older build noted none.
  if (drafts === undefined) return upTo === ALL.upTo || draft.at <= at;
  return drafts.some(
    (each) =>
      each.workspace === draft.workspace &&
      each.channel === draft.channel &&
      each.root === draft.root &&
      each.at === draft.at,
  );
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
  for (const op of given) removeOp(tx, putOp(tx, { ...op, isGivenUp: true }));
  // Their numbers never come: what is behind them in their rooms goes by another device's.
  for (const room of new Set(numbered(given).map((op) => op.room))) {
    tx.remove("devices", room);
    for (const op of numbered(outbox)) if (op.room === room && op.place > leaving.upTo) openAgain(tx, op);
  }
  for (const draft of await tx.all("drafts")) if (isGivenUp(leaving, draft)) removeDraft(tx, draft);
  tx.put("meta", { ...leaving, key: "leaving", queue: "none" });
}
