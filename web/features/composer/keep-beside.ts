// Copies what editors hold in the browser's own storage (last-words.ts), and what texts answer (answered.ts), into the
// database. A browser writes that storage to disk when it likes, up to a minute late, so that one that is killed has it at
// the next start as it was then: without what was typed since, and with what was given up since. A composer's own words
// need no copy, for they are stored as a draft.
//
// Each copy has a version, which that storage bears too. It is written as a whole, or in the order of its changes: where it
// bears an earlier version than the copy, all of it is from before the copy; else all of it is at least as late.
import type { UserId } from "#protocol/ids.ts";
import type { Beside } from "../../store/beside.ts";
import type { BesideDisk } from "../../sync/ports.ts";
import { answer, ANSWERED, answeredIn, followAnswers } from "../answered.ts";
import { ownerOf, PLACES } from "./last-words.ts";
import { drop, isLivingPlace, wordsIn } from "./left-words.ts";

/** Before the person in the name of the place that bears the version. */
export const COPIED = "causeway.copied.";

/** Between two copies while one types, as with a draft; ms. */
const COPY_EVERY_MS = 250;

type Places = Beside["places"];

/** @returns ends it; what isn't copied by then is */
export function keepBeside(user: UserId, disk: BesideDisk): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let copied = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const copy = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      const places = placesOf(user);
      const now = JSON.stringify(places);
      if (now === copied) return;
      // By the clock, so that it is later than a copy that couldn't be read; but never earlier than it was.
      const version = Math.max(Date.now(), versionHere(user) + 1);
      bear(user, version);
      copied = now;
      // What can't be copied lies where it was; the next change is another try.
      disk.write({ places, version }).catch(() => (copied = ""));
    } catch {
      // Blocked or full: a copy that the storage couldn't be told of would be taken for the later of the two.
    }
  };

  /** What another tab changed is copied by that one. */
  function follow({ key, newValue, isTrusted }: StorageEvent): void {
    if (isTrusted || key?.startsWith(PLACES) !== true) return;
    // What is given up must not come back.
    if (newValue === null) copy();
    else timer ??= setTimeout(copy, COPY_EVERY_MS);
  }

  const begin = (): void => {
    if (signal.aborted) return;
    addEventListener("storage", follow, { signal });
    signal.addEventListener("abort", followAnswers(copy));
    // A system that wants the memory ends browsers that nobody looks at.
    for (const leaves of ["visibilitychange", "pagehide"]) addEventListener(leaves, copy, { signal });
    copy();
  };
  // What there is no room to put back stays in the copy, which then isn't written again.
  void oneTabAtATime(COPIED + user, () => restore(user, disk, signal)).then(begin, () => undefined);
  return () => {
    if (timer !== undefined) copy();
    leaving.abort();
  };
}

/** Makes the browser's storage what it was at the last copy, where it is from before that. */
async function restore(user: UserId, disk: BesideDisk, signal: AbortSignal): Promise<void> {
  const kept = await disk.read().catch(() => null);
  if (kept === null || versionHere(user) >= kept.version) return;
  for (const place of new Set([...Object.keys(kept.places), ...Object.keys(placesOf(user))])) {
    const was = kept.places[place] ?? null;
    const isAnswer = place.startsWith(ANSWERED);
    // A tab that lives began to type there since.
    if (!isAnswer && (await isLivingPlace(place))) continue;
    if (signal.aborted) return;
    if (localStorage.getItem(place) === was) continue;
    put(place, was);
    const owner = place.slice(ANSWERED.length);
    // Also in the tab whose own choice came back with it, and under a text that one goes on with already.
    if (isAnswer && answeredIn(owner) !== was) answer(owner, was);
  }
  bear(user, kept.version);
}

/** As if the tab whose place it is had left it so. */
function put(place: string, stored: string | null): void {
  if (stored === null) return drop(place);
  localStorage.setItem(place, stored);
  dispatchEvent(new StorageEvent("storage", { key: place, newValue: stored }));
}

/** Edits that were begun, and what texts answer. */
function placesOf(user: UserId): Places {
  const isEdit = (stored: string): boolean => wordsIn(stored).some(({ channel }) => channel !== undefined);
  const places: Record<string, string> = {};
  for (const place of Object.keys(localStorage)) {
    const stored = localStorage.getItem(place) ?? "";
    const isAnswer = place.startsWith(ANSWERED + ownerOf(user, ""));
    if (isAnswer || (place.startsWith(PLACES + ownerOf(user, "")) && isEdit(stored))) places[place] = stored;
  }
  return places;
}

/** The version that the browser's storage bears; 0 before the first. */
const versionHere = (user: UserId): number => Number(localStorage.getItem(COPIED + user) ?? 0);

const bear = (user: UserId, version: number): void => localStorage.setItem(COPIED + user, String(version));

async function oneTabAtATime(name: string, work: () => Promise<void>): Promise<void> {
  return "locks" in navigator ? navigator.locks.request(name, work) : work();
}
