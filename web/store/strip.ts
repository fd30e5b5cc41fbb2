// What stays of a person who signed out and asked to keep what isn't delivered: that, and nothing they could read.
import { dropGivenUp, LEAVING_TABLES, putLeaving, removeLeaving, type Leaving } from "./leaving.ts";
import { putLeader } from "./meta.ts";
import { channelRoom, workspaceRoom } from "./rooms.ts";
import { openStore } from "./open-store.ts";
import type { Bus, Store } from "./store.ts";
import { prefix } from "./tx.ts";

/** Nobody is left to tell. */
const NOBODY: Bus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

/** @param press what was asked for last, where that isn't noted in the database */
export async function stripPerson(factory: IDBFactory, name: string, press: Leaving | null = null): Promise<void> {
  const store = await openStore(factory, name, NOBODY, () => undefined);
  await stripStore(store, press).finally(store.close);
}

/** Outbox, drafts and devices stay, so that what waits goes by the same numbers when they are back. */
async function stripStore(store: Store, press: Leaving | null): Promise<void> {
  const tables = [...LEAVING_TABLES, "rooms", "entities", "messages", "heads"] as const;
  await store.write({ tables, durability: "strict" }, async (tx) => {
    if (press !== null) putLeaving(tx, press);
    // They have left: when they are back nothing of that asks for anything any more.
    await dropGivenUp(tx);
    removeLeaving(tx);
    // Whatever another tab still has on its way is written no more.
    putLeader(tx, "");
    // Nothing is here that could be up to date.
    tx.remove("meta", "liveAt");
    for (const { name } of await tx.all("rooms")) {
      tx.remove("rooms", name);
      tx.remove("messages", prefix(name));
      tx.remove("entities", prefix(name));
    }
    for (const { workspace, channel } of await tx.all("heads")) {
      tx.remove("heads", [workspace, channel]);
      tx.remove("messages", prefix(channelRoom(workspace, channel)));
      tx.remove("entities", prefix(workspaceRoom(workspace)));
    }
  });
}
