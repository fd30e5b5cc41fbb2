// A copy of what is being written is stored as what is written is: history makes way for it, once for all copies that are
// made meanwhile. Where nothing does, that isn't tried at every letter.
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import type { BesideDisk } from "../store/beside.ts";
import { isQuota } from "../store/faults.ts";
import type { Beside } from "../store/index-database.ts";
import type { StorageCare } from "./storage-care.ts";

/** @param isFull nothing is left that could make way */
export function withRoom(disk: BesideDisk, again: StorageCare["again"], isFull: () => boolean): BesideDisk {
  let latest: Beside;
  let tried: Beside;
  let underWay: Promise<Result<number | null, Failure>> | null = null;
  const write = async (copy: Beside): Promise<number | null> => {
    latest = copy;
    try {
      return await disk.write(copy);
    } catch (error) {
      if (!isQuota(error) || isFull()) throw error;
      underWay ??= again(error, () => disk.write((tried = latest))).finally(() => (underWay = null));
      const stored = await underWay;
      if (!stored.ok) throw error;
      // Where it came while an earlier one was being stored, there is room by now.
      return tried.version < copy.version ? write(copy) : stored.value;
    }
  };
  return { ...disk, write };
}
