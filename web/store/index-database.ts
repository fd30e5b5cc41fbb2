// The one small database that all people of this profile share: who was here, who was last, and the last good
// configuration. Read at the very start, before a person's own database is known.
import type { Config } from "#protocol/http.ts";
import { ended, openDatabase, settled } from "./database.ts";
import type { Migration } from "./schema.ts";
import type { SessionSnapshot } from "./snapshots.ts";

export type KnownSession = Exclude<SessionSnapshot, { readonly state: "nobody" }>;

export interface Index {
  readonly kind: "disk" | "memory";
  readonly read: () => Promise<{ readonly last: KnownSession | null; readonly config: Config | null }>;
  /** Stores a person's session and makes it the one the app opens with. */
  readonly putSession: (name: string, session: KnownSession) => Promise<void>;
  readonly putConfig: (config: Config) => Promise<void>;
  /** Nobody is signed in any more; `removes` also what is known of the person. */
  readonly leave: (name: string, removes: boolean) => Promise<void>;
  /** The browser took it away since it was last used. */
  readonly isLost: () => boolean;
  readonly close: () => void;
}

const NAME = "causeway";

const MIGRATIONS: readonly Migration[] = [
  (db) => {
    db.createObjectStore("people");
    db.createObjectStore("meta");
  },
];

export async function openIndex(factory: IDBFactory): Promise<Index> {
  let isLost = false;
  const open = (): Promise<IDBDatabase> =>
    openDatabase(factory, NAME, MIGRATIONS, {
      onClosed: (why) => {
        isLost = why !== "upgraded-elsewhere";
      },
    });
  let db = await open();
  const begin = async (mode?: IDBTransactionMode): Promise<IDBTransaction> => {
    if (isLost) db = await open();
    isLost = false;
    return db.transaction(["people", "meta"], mode, { durability: "strict" });
  };
  return {
    kind: "disk",
    read: async () => {
      const tx = await begin();
      const meta = tx.objectStore("meta");
      const config = settled(meta.get("config") as IDBRequest<Config | undefined>);
      const last = await settled(meta.get("last") as IDBRequest<string | undefined>);
      const people = tx.objectStore("people");
      const session =
        last === undefined ? null : await settled(people.get(last) as IDBRequest<KnownSession | undefined>);
      return { last: session ?? null, config: (await config) ?? null };
    },
    putSession: async (name, session) => {
      const tx = await begin("readwrite");
      tx.objectStore("people").put(session, name);
      tx.objectStore("meta").put(name, "last");
      await ended(tx);
    },
    putConfig: async (config) => {
      const tx = await begin("readwrite");
      tx.objectStore("meta").put(config, "config");
      await ended(tx);
    },
    leave: async (name, removes) => {
      const tx = await begin("readwrite");
      tx.objectStore("meta").delete("last");
      if (removes) tx.objectStore("people").delete(name);
      await ended(tx);
    },
    isLost: () => isLost,
    close: () => db.close(),
  };
}

/** A person's database; issuer and subject together are the person ([OP11]). */
export function personDatabase(issuer: string, subject: string): string {
  return `causeway/${encodeURIComponent(issuer)}/${encodeURIComponent(subject)}`;
}
