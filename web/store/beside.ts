// The copies of what composers hold beside the databases (features/composer/keep-beside.ts), in the one that all people of
// this profile share: there they outlive a person's own, which may be taken away, or given up.
import { ended } from "./database.ts";
import { BESIDE, besideIn, type Begin, type Beside } from "./index-database.ts";

/** Of one person. */
export interface BesideDisk {
  readonly read: () => Promise<Beside | undefined>;
  /** Answers the version that stood in its way, being no earlier; null where it is stored. */
  readonly write: (beside: Beside) => Promise<number | null>;
}

/** @param name of the person's database */
export function besideDisk(begin: Begin, name: string): BesideDisk {
  return {
    read: async () => besideIn(await begin(), name),
    write: async (beside) => {
      const tx = await begin("readwrite", "relaxed");
      const known = await besideIn(tx, name);
      if (known !== undefined && known.version >= beside.version) return known.version;
      // Of a sign-out that this tab hasn't heard of, too.
      const latest = (of: "clearedAt" | "givenUpAt"): Partial<Beside> => {
        const at = Math.max(known?.[of] ?? 0, beside[of] ?? 0);
        return at > 0 ? { [of]: at } : {};
      };
      tx.objectStore("meta").put({ ...beside, ...latest("clearedAt"), ...latest("givenUpAt") }, BESIDE + name);
      await ended(tx);
      return null;
    },
  };
}
