// Table `heads`: where each channel's room stands, as the workspace room tells.
import type { WorkspaceId } from "#protocol/ids.ts";
import type { HeadRecord } from "./schema.ts";
import { prefix, type ReadTx } from "./tx.ts";

export function readHeads(tx: ReadTx, workspace: WorkspaceId): Promise<HeadRecord[]> {
  return tx.all("heads", prefix(workspace));
}
