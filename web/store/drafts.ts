// Table `drafts`: the unsent text of each composer, stored at every pause, whether or not it ever leaves the device.
import type { ChannelId, MessageId, WorkspaceId } from "#protocol/ids.ts";
import type { DraftRecord } from "./schema.ts";
import type { ReadTx, WriteTx } from "./tx.ts";
import { prefix } from "./tx.ts";

export function readDrafts(tx: ReadTx, workspace: WorkspaceId): Promise<DraftRecord[]> {
  return tx.all("drafts", prefix(workspace));
}

export function readDraft(
  tx: ReadTx,
  workspace: WorkspaceId,
  channel: ChannelId,
  root: MessageId | "",
): Promise<DraftRecord | undefined> {
  return tx.get("drafts", [workspace, channel, root]);
}

export function putDraft(tx: WriteTx, draft: DraftRecord): void {
  tx.put("drafts", draft);
}

/** The composers whose text the person's other devices don't know yet. */
export async function dirtyDrafts(tx: ReadTx, workspace: WorkspaceId): Promise<DraftRecord[]> {
  return (await readDrafts(tx, workspace)).filter(({ isDirty }) => isDirty);
}
