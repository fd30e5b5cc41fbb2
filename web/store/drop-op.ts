// Ops that leave the outbox undone, and what becomes of their words.
import { putDraft } from "./drafts.ts";
import { readOutboxOf, removeOp, workspaceOf } from "./outbox.ts";
import type { OutboxRecord } from "./schema.ts";
import type { WriteTx } from "./tx.ts";

/** Takes it out. A draft that can't be synced keeps its text on this device, to be found in the Outbox ([RV5]). */
export function dropOp(tx: WriteTx, op: OutboxRecord): Promise<void> {
  removeOp(tx, op);
  return keepDraft(tx, op);
}

/** What was written on top of it stands in its place: in an op behind it, or by itself where it was too long for one. */
async function keepDraft(tx: WriteTx, gone: OutboxRecord): Promise<void> {
  const workspace = workspaceOf(gone);
  if (gone.op !== "draft.set" || gone.args.text === "" || workspace === null) return;
  const { channel, root = "", text, over } = gone.args;
  const isOlder = (await readOutboxOf(tx, gone.room)).some(
    ({ op, args, place }) =>
      op === "draft.set" && place > gone.place && args.channel === channel && (args.root ?? "") === root,
  );
  if (isOlder || (await tx.get("drafts", [workspace, channel, root])) !== undefined) return;
  putDraft(tx, { workspace, channel, root, text, over, at: gone.at });
}
