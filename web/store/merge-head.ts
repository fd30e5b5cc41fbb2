// What becomes of a channel's head when the workspace room tells of it: the newer one counts ([SV2]).
import type { Head, Restored } from "#protocol/frames/welcome.ts";
import { headAfter } from "#protocol/heads.ts";
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import { isOpen, putOp, readOutboxOf } from "./outbox.ts";
import { workspaceRoom } from "./rooms.ts";
import type { WriteTx } from "./tx.ts";

/** In a transaction over `heads` and `outbox`. */
export async function mergeHead(tx: WriteTx, workspace: WorkspaceId, channel: ChannelId, told: Head): Promise<void> {
  const before = await tx.get("heads", [workspace, channel]);
  const head = headAfter(told, before);
  if (head === null) return;
  tx.put("heads", { workspace, channel, ...head });
  const { restored } = head;
  if (restored !== undefined && restored.epoch !== before?.restored?.epoch)
    await readNoFurther(tx, workspace, channel, restored);
}

/** What was read and waits to be told would make read here what nobody has seen yet: the places are given anew. */
async function readNoFurther(
  tx: WriteTx,
  workspace: WorkspaceId,
  channel: ChannelId,
  { epoch, seq }: Restored,
): Promise<void> {
  for (const op of await readOutboxOf(tx, workspaceRoom(workspace))) {
    if (op.op !== "read.set" || op.args.channel !== channel || op.args.epoch === epoch || !isOpen(op)) continue;
    putOp(tx, { ...op, args: { ...op.args, epoch, seq: Math.min(op.args.seq, seq) } });
  }
}
