// The one small database that all people of this profile share: who was here, who was last, the last good configuration,
// and copies of what composers hold beside a person's own database. Read at the very start, before that is known.
import type { Config } from "#protocol/http.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { begun, ended, letGoOf, openDatabase, settled } from "./database.ts";
import type { Migration } from "./schema.ts";
import type { SessionSnapshot } from "./snapshots.ts";

export type KnownSession = Exclude<SessionSnapshot, { readonly state: "nobody" }>;

/** A copy of what composers and editors hold beside the database, in the browser's own storage. */
export interface Beside {
  /** What is held there, by the name of its place. */
  readonly places: Readonly<Record<string, string>>;
  /** Of copies by whichever tab: the later the higher. Epoch ms, or more where the clock was set back. */
  readonly version: number;
  /** When their database was last taken away as they signed out: nothing that waited in it is lost. Epoch ms. */
  readonly clearedAt?: number;
  /** When they last gave up all that they held on this device, and what had been lost before. Epoch ms. */
  readonly givenUpAt?: number;
}

export type Begin = (mode?: IDBTransactionMode, durability?: IDBTransactionDurability) => Promise<IDBTransaction>;

export interface Index {
  readonly kind: "disk" | "memory";
  /** @param isHeard whoever reads next needn't be told of what `hasLeft` tells */
  readonly read: (isHeard?: boolean) => Promise<{
    readonly last: KnownSession | null;
    readonly config: Config | null;
    /**
     * Somebody signed out since it was last read: though they may be here again, what is known of them is of before. Or
     * nobody is here, and not because the browser took it away.
     */
    readonly hasLeft: boolean;
  }>;
  /**
   * Stores a person's session and makes it the one the app opens with. Answers whether it is.
   * @param over who is here as far as this tab knows: where they were signed out in another since, nothing is stored
   */
  readonly putSession: (name: string, session: KnownSession, over?: string) => Promise<boolean>;
  readonly beside: (name: string) => Promise<Beside | undefined>;
  /** Over all of it, for what comes behind the first screen; null where nothing is kept. */
  readonly begin: Begin | null;
  /** Nobody is signed in any more. @param note of it (sync/leavings.ts) */
  readonly leave: (note: (tx: IDBTransaction) => void) => Promise<void>;
  /** The browser took it away since it was last used. */
  readonly isLost: () => boolean;
  /** It is another one as soon as it is used again after the browser took it away; null where nothing is kept. */
  readonly database: () => IDBDatabase | null;
  /** As the page is frozen: what is asked of it from now on waits for `thawed`. */
  readonly rest: (thawed: Promise<void>) => void;
  readonly close: () => void;
}

const NAME = "causeway";
/** The name of the last good configuration. */
export const CONFIG = "config";
/** The name of when somebody last signed out here; it only grows, also where the data was cleared between. */
export const LEFT = "left";
/** Before the name of a person's database. */
export const BESIDE = "beside/";
/** Before the person in the name of the place, in the browser's own storage, that bears the version of the last copy. */
export const COPIED = "causeway.copied.";

/** Before the name of a person's database that is to be emptied, until it is (sync/leavings.ts). */
export const LEAVING = "leaving/";

const MIGRATIONS: readonly Migration[] = [
  (db) => {
    db.createObjectStore("people");
    db.createObjectStore("meta");
  },
];

export async function openIndex(factory: IDBFactory): Promise<Index> {
  let isLost = false;
  let isClosed = false;
  const open = (): Promise<IDBDatabase> =>
    openDatabase(factory, NAME, MIGRATIONS, {
      onClosed: (why) => {
        isClosed = isLost = why !== "upgraded-elsewhere";
      },
    });
  let db = await open();
  let resting: Promise<void> | undefined;
  let departures = 0;
  const begin: Begin = async (mode, durability = "strict") => {
    await resting;
    if (isClosed) db = await open();
    isClosed = false;
    return begun(db, ["people", "meta"], mode, { durability });
  };
  return {
    kind: "disk",
    read: async (isHeard = true) => {
      const tx = await begin();
      const wasLost = isLost;
      const meta = tx.objectStore("meta");
      // Together: where the browser takes them away, each fails.
      const [left = 0, config = null, last] = (await Promise.all(
        [LEFT, CONFIG, "last"].map((key) => settled(meta.get(key))),
      )) as [number | undefined, Config | undefined, string | undefined];
      const knownAs = (name: string) => tx.objectStore("people").get(name) as IDBRequest<KnownSession | undefined>;
      const session = last && (await settled(knownAs(last)));
      // Where the data was cleared it begins anew, and nobody has left.
      const hasLeft = left > departures || (!session && !isLost);
      if (isHeard) departures = left;
      // Another tab has put it back. What was there before it went says nothing.
      if (session && wasLost) isLost = false;
      return { last: session || null, config, hasLeft };
    },
    putSession: async (name, session, over) => {
      const tx = await begin("readwrite");
      const meta = tx.objectStore("meta");
      const last = await settled(meta.get("last") as IDBRequest<string | undefined>);
      if (over !== undefined && last !== over && !isLost) return false;
      tx.objectStore("people").put(session, name);
      meta.put(name, "last");
      // Who is here again has it again.
      meta.delete(LEAVING + name);
      await ended(tx);
      isLost = false;
      return true;
    },
    beside: async (name) => besideIn(await begin(), name),
    begin,
    leave: async (note) => {
      const tx = await begin("readwrite");
      note(tx);
      await ended(tx);
      isLost = false;
    },
    isLost: () => isLost,
    database: () => db,
    rest: (thawed) => {
      resting = thawed;
    },
    close: () => letGoOf(db),
  };
}

/** @param name of the person's database */
export function besideIn(tx: IDBTransaction, name: string): Promise<Beside | undefined> {
  return settled(tx.objectStore("meta").get(BESIDE + name) as IDBRequest<Beside | undefined>);
}

/** Of whoever is here, by the edge's own word. */
export function databaseOf({ person }: KnownSession): string {
  return personDatabase(OWN_ISSUER, person.user);
}

/** How the name of every person's database begins. */
export const OF_A_PERSON = "causeway/";

/** A person's database; issuer and subject together are the person ([OP11]). */
export function personDatabase(issuer: string, subject: string): string {
  return `${OF_A_PERSON}${encodeURIComponent(issuer)}/${encodeURIComponent(subject)}`;
}
