// Table `meta`: the person's choice to work offline, which no tab and no worker may overlook.
import type { Store } from "./store.ts";
import type { ReadTx, WriteTx } from "./tx.ts";

/** Whether nothing may use the network: the person's own switch. */
export async function readWorkOffline(tx: ReadTx): Promise<boolean> {
  const record = await tx.get("meta", "workOffline");
  return record?.key === "workOffline" && record.on;
}

export function putWorkOffline(tx: WriteTx, on: boolean): void {
  tx.put("meta", { key: "workOffline", on });
}

export interface OfflineChoice {
  /** Null until the disk has said. */
  readonly now: () => boolean | null;
  readonly stop: () => void;
}

/**
 * Asked once, then heard from the commits of any tab. A disk that can't say it forbids nothing.
 * @param changed told whenever it is another than before, and when the disk has said
 */
export function watchOfflineChoice(store: Store, changed: () => void): OfflineChoice {
  let choice: boolean | null = null;
  const become = (on: boolean): void => {
    if (on === choice) return;
    choice = on;
    changed();
  };
  const stop = store.listen((commit) => {
    for (const change of commit)
      if (change.table === "meta" && "put" in change && change.put.key === "workOffline") become(change.put.on);
  });
  void store.read(["meta"], readWorkOffline).then(
    (on) => {
      if (choice === null) become(on);
    },
    () => become(false),
  );
  return { now: () => choice, stop };
}
