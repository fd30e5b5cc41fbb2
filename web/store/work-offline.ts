// Table `meta`: the person's choice to work offline, which no tab and no worker may overlook.
import type { ReadTx, WriteTx } from "./tx.ts";

/** What a call fails with that isn't made for it. */
export const WORKING_OFFLINE = "working offline";

/** Whether nothing may use the network: the person's own switch. */
export async function readWorkOffline(tx: ReadTx): Promise<boolean> {
  const record = await tx.get("meta", "workOffline");
  return record?.key === "workOffline" && record.on;
}

export function putWorkOffline(tx: WriteTx, on: boolean): void {
  tx.put("meta", { key: "workOffline", on });
}
