// Copies what composers and editors hold in the browser's own storage (last-words.ts), and what texts answer (answered.ts),
// into a database. A browser writes that storage to disk when it likes, up to a minute late, so that one that is killed
// has it at the next start as it was then: without what was typed since, and with what was stored or given up since.
//
// Each copy has a version, which that storage bears too. It is written as a whole, or in the order of its changes: where it
// bears an earlier version than the copy, all of it is from before the copy (put-right.ts); else all of it is at least as late.
import type { UserId } from "#protocol/ids.ts";
import type { BesideDisk } from "../../store/beside.ts";
import type { Beside } from "../../store/index-database.ts";
import type { Store } from "../../store/store.ts";
import type { KeptBeside } from "../../sync/ports.ts";
import { ANSWERED, endedIn, followAnswers, own, shown } from "../answered.ts";
import { here, keep, kept } from "../kept.ts";
import { held, holdWords, ownerOf, PLACES, versionHere } from "./last-words.ts";
import { bear, placesOf, putRight } from "./put-right.ts";

/** Between two copies while one types, as with a draft; ms. */
const COPY_EVERY_MS = 250;

/** What isn't copied when it is ended is then. */
export function keepBeside(user: UserId, disk: BesideDisk, store: Store): KeptBeside {
  const leaving = new AbortController();
  const { signal } = leaving;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let done: Omit<Beside, "places" | "version"> = {};
  let hasBegun = false;

  /** The browser's data was cleared under this tab, which alone still has what it holds, as with its outbox (recover.ts). */
  const putBack = (): void => {
    const isMine = (owner: string): boolean => owner.startsWith(ownerOf(user, ""));
    for (const [owner, words] of held) if (isMine(owner)) for (const each of words) holdWords(owner, each);
    for (const [owner, { to, isOwn }] of shown) {
      if (!isMine(owner) || to === null) continue;
      const key = ANSWERED + owner;
      if (endedIn(owner).includes(to)) {
        // Another tab was quicker, and has sent or given up what it answered: no place was left for it to empty.
        dispatchEvent(new StorageEvent("storage", { key, oldValue: to, newValue: null }));
        continue;
      }
      // What another tab answers by now is that tab's.
      for (const where of isOwn ? [own, here] : [here]) if (kept(where, key) === null) keep(where, key, to);
    }
    if (hasBegun) copy();
  };

  const copy = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      // By the clock, so that it is later than a copy that couldn't be read; but never earlier than it was.
      const version = Math.max(Date.now(), versionHere(user) + 1);
      bear(user, version);
      disk.write({ places: placesOf(user), version, ...done }).then(
        (stood) => {
          if (stood === null || signal.aborted) return;
          // Another tab's, or of a clock that was ahead: the next is behind it.
          bear(user, Math.max(stood, versionHere(user)));
          copy();
        },
        // It lies where it was, and bears a later version than any copy. The next change is another try.
        () => undefined,
      );
    } catch {
      // Blocked or full: a copy that the storage couldn't be told of would be taken for the later of the two.
    }
  };

  /** What another tab changed is copied by that one. */
  function follow({ key, newValue, isTrusted }: StorageEvent): void {
    if (isTrusted || key?.startsWith(PLACES) !== true) return;
    // What is done with would come back as something unfinished.
    if (newValue === null) copy();
    else timer ??= setTimeout(copy, COPY_EVERY_MS);
  }

  /** Unless another tab has given all of it up since, of which this one hears late. */
  const putBackUnlessGivenUp = async (): Promise<void> => {
    const copied = await disk.read().catch(() => undefined);
    if (signal.aborted) return;
    const isGivenUp = copied?.givenUpAt !== undefined && copied.givenUpAt !== done.givenUpAt;
    if (!isGivenUp) putBack();
  };

  function clearedAt({ key }: StorageEvent): void {
    if (key === null) void putBackUnlessGivenUp();
  }

  /** A system that wants the memory ends browsers that nobody looks at. */
  const flush = (): void => {
    if (timer !== undefined) copy();
  };

  const begin = async (): Promise<void> => {
    const copied = await disk.read().catch(() => undefined);
    if (copied !== undefined) {
      const { places: _places, version, ...rest } = copied;
      done = rest;
      // What couldn't be done when it was opened.
      if (versionHere(user) < version) await putRight(user, copied, store);
    }
    if (signal.aborted) return;
    for (const hears of [follow, clearedAt]) addEventListener("storage", hears, { signal });
    signal.addEventListener("abort", followAnswers(copy));
    for (const leaves of ["visibilitychange", "pagehide"]) addEventListener(leaves, flush, { signal });
    hasBegun = true;
    copy();
  };
  // What there is no room to put back stays in the copy, which then isn't written again.
  begin().catch(() => undefined);
  return {
    // Of the clearing of a site's data Firefox (153) tells its tabs nothing else. Where only the database went, nothing changes.
    remade: () => {
      if (!signal.aborted) putBack();
    },
    end: () => {
      flush();
      leaving.abort();
    },
  };
}
