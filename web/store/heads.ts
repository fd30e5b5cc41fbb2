// Table `heads`: where each channel's room stands, as the workspace room tells. Merged by the higher rev ([SV2]).
import type { Head } from "#protocol/frames/welcome.ts";
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import type { HeadRecord } from "./schema.ts";
import { prefix, type ReadTx, type WriteTx } from "./tx.ts";

export function readHeads(tx: ReadTx, workspace: WorkspaceId): Promise<HeadRecord[]> {
  return tx.all("heads", prefix(workspace));
}

export async function mergeHead(tx: WriteTx, workspace: WorkspaceId, channel: ChannelId, head: Head): Promise<void> {
  const before = await tx.get("heads", [workspace, channel]);
  if (before !== undefined && before.rev >= head.rev) return;
  const { seq, top, rev, at } = head;
  tx.put("heads", { workspace, channel, seq, top, rev, at });
}
