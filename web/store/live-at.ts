// Table `meta`: until when all of a workspace was known to be up to date.
import type { WorkspaceId } from "#protocol/ids.ts";
import type { ReadTx, WriteTx } from "./tx.ts";

async function liveAts(tx: ReadTx): Promise<Readonly<Record<string, number>>> {
  const record = await tx.get("meta", "liveAt");
  return record?.key === "liveAt" ? record.workspaces : {};
}

export async function readLiveAt(tx: ReadTx, workspace: WorkspaceId): Promise<number | null> {
  return (await liveAts(tx))[workspace] ?? null;
}

export async function putLiveAt(tx: WriteTx, workspace: WorkspaceId, at: number): Promise<void> {
  tx.put("meta", { key: "liveAt", workspaces: { ...(await liveAts(tx)), [workspace]: at } });
}
