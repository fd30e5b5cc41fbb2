// Ops that leave the outbox undone, and what becomes of their words.
import { putDraft } from "./drafts.ts";
import { isOpen, putOp, readOutboxOf, removeOp, workspaceOf } from "./outbox.ts";
import type { OutboxRecord, Queued } from "./schema.ts";
import type { WriteTx } from "./tx.ts";

/** Takes it out. A draft that can't be synced keeps its text on this device, to be found in the Outbox ([RV5]). */
export function dropOp(tx: WriteTx, op: OutboxRecord): Promise<void> {
  removeOp(tx, op);
  return keepDraft(tx, op);
}

/** What was written on top of it stands in its place: in an op behind it, or by itself where it was too long for one. */
async function keepDraft(tx: WriteTx, gone: OutboxRecord): Promise<void> {
  const workspace = workspaceOf(gone);
  if (gone.op !== "draft.set" || workspace === null) return;
  const { channel, root = "", text, over } = gone.args;
  const isNext = (op: OutboxRecord): op is Queued<"draft.set"> =>
    op.op === "draft.set" && op.place > gone.place && op.args.channel === channel && (op.args.root ?? "") === root;
  const next = (await readOutboxOf(tx, gone.room)).find(isNext);
  const kept = await tx.get("drafts", [workspace, channel, root]);
  // It grew out of what never got there, and so out of what that one had grown out of.
  if (next !== undefined && isOpen(next) && next.args.over === text) {
    const { over: _, ...args } = next.args;
    putOp(tx, { ...next, args: { ...args, ...(over !== undefined && { over }) } });
  }
  if (kept?.over === text) putDraft(tx, { ...kept, over });
  if (text === "" || next !== undefined || kept !== undefined) return;
  putDraft(tx, { workspace, channel, root, text, over, at: gone.at });
}
