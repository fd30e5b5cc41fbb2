// Copies what composers and editors hold in the browser's own storage (last-words.ts), and what texts answer (answered.ts),
// into the database. A browser writes that storage to disk when it likes, up to a minute late, so that one that is killed
// has it at the next start as it was then: without what was typed since, and with what was stored or given up since.
//
// Each copy has a version, which that storage bears too. It is written as a whole, or in the order of its changes: where it
// bears an earlier version than the copy, all of it is from before the copy; else all of it is at least as late.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { Beside } from "../../store/schema.ts";
import type { BesideDisk } from "../../sync/ports.ts";
import { answer, ANSWERED, answeredIn, followAnswers } from "../answered.ts";
import { ownerOf, PLACES } from "./last-words.ts";
import { drop, isLivingPlace, placesPutRight } from "./left-words.ts";

/** Before the person in the name of the place that bears the version. */
export const COPIED = "causeway.copied.";

/** Between two copies while one types, as with a draft; ms. */
const COPY_EVERY_MS = 250;

type Places = Beside["places"];

/** @returns ends it; what isn't copied by then is */
export function keepBeside(user: UserId, disk: BesideDisk): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const copy = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      // By the clock, so that it is later than a copy that couldn't be read; but never earlier than it was.
      const version = Math.max(Date.now(), versionHere(user) + 1);
      bear(user, version);
      disk.write({ places: placesOf(user), version }).then(
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
  function follow({ key, isTrusted }: StorageEvent): void {
    if (!isTrusted && key?.startsWith(PLACES) === true) timer ??= setTimeout(copy, COPY_EVERY_MS);
  }

  /** A system that wants the memory ends browsers that nobody looks at. */
  const flush = (): void => {
    if (timer !== undefined) copy();
  };

  const begin = (): void => {
    if (signal.aborted) return;
    addEventListener("storage", follow, { signal });
    signal.addEventListener("abort", followAnswers(copy));
    for (const leaves of ["visibilitychange", "pagehide"]) addEventListener(leaves, flush, { signal });
    copy();
  };
  const answers = answersOf(user);
  // What there is no room to put back stays in the copy, which then isn't written again.
  void oneTabAtATime(COPIED + user, () => restore(user, disk, answers, signal))
    .then(begin, () => undefined)
    .then(placesPutRight);
  return () => {
    flush();
    leaving.abort();
  };
}

/**
 * Makes the browser's storage what it was at the last copy, where it is from before that.
 * @param answers as they stood at the start: what one chose since stays
 */
async function restore(user: UserId, disk: BesideDisk, answers: Places, signal: AbortSignal): Promise<void> {
  const kept = await disk.read().catch(() => null);
  if (kept === null || versionHere(user) >= kept.version) return;
  const places = [...new Set([...Object.keys(kept.places), ...Object.keys(placesOf(user))])];
  const isAnswer = (place: string): boolean => place.startsWith(ANSWERED);
  for (const place of places.filter((each) => !isAnswer(each))) {
    // A tab that lives began to type there since.
    if (await isLivingPlace(place)) continue;
    if (signal.aborted) return;
    put(place, kept.places[place] ?? null);
  }
  for (const place of places.filter(isAnswer)) {
    const owner = place.slice(ANSWERED.length);
    const channel = owner.slice(ownerOf(user, "").length) as ChannelId;
    // Sent since, by somebody quicker than this, it would be what is written next that answers it.
    const isWritten = placesIn(`${PLACES}${owner}.`).length > 0 || (await disk.hasDraft(channel));
    if (signal.aborted) return;
    if (localStorage.getItem(place) !== (answers[place] ?? null)) continue;
    const to = isWritten ? (kept.places[place] ?? null) : null;
    put(place, to);
    // Also in the tab whose own choice came back with it, and under a text that one goes on with already.
    if (answeredIn(owner) !== to) answer(owner, to);
  }
  bear(user, kept.version);
}

/** As if the tab whose place it is had left it so. */
function put(place: string, stored: string | null): void {
  if (localStorage.getItem(place) === stored) return;
  if (stored === null) return drop(place);
  localStorage.setItem(place, stored);
  dispatchEvent(new StorageEvent("storage", { key: place, newValue: stored }));
}

const placesOf = (user: UserId): Places =>
  held(...placesIn(PLACES + ownerOf(user, "")), ...placesIn(ANSWERED + ownerOf(user, "")));

/** None where the browser's storage is blocked. */
function answersOf(user: UserId): Places {
  try {
    return held(...placesIn(ANSWERED + ownerOf(user, "")));
  } catch {
    return {};
  }
}

const placesIn = (begins: string): readonly string[] =>
  Object.keys(localStorage).filter((place) => place.startsWith(begins));

const held = (...places: readonly string[]): Places =>
  Object.fromEntries(places.map((place) => [place, localStorage.getItem(place) ?? ""]));

/** The version that the browser's storage bears; 0 before the first. */
const versionHere = (user: UserId): number => Number(localStorage.getItem(COPIED + user) ?? 0);

const bear = (user: UserId, version: number): void => localStorage.setItem(COPIED + user, String(version));

async function oneTabAtATime(name: string, work: () => Promise<void>): Promise<void> {
  return "locks" in navigator ? navigator.locks.request(name, work) : work();
}
