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

/**
 * Nothing is to go from here until it is taken back, or this is the last of the database. Heard by whoever leads then; it
 * isn't read at a start, so that a page which ended meanwhile has chosen nothing.
 */
export function putHoldBack(tx: WriteTx, on: boolean): void {
  tx.put("meta", { key: "holdBack", on });
}
