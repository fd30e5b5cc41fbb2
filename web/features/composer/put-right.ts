// What composers and editors hold in the browser's own storage, made what it was at the last copy (keep-beside.ts) where a
// browser that was killed brought back an older state of it. Done while the person's database is opened: before any screen
// shows or sends what stands there, and before what tabs left behind is taken up.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { COPIED, personDatabase, type Beside } from "../../store/index-database.ts";
import type { Store } from "../../store/store.ts";
import { hasDraft } from "../../sync/has-draft.ts";
import { forgetDone } from "../../sync/waiting.ts";
import { ANSWERED, ENDED } from "../answered.ts";
import { ownerOf, PLACES, versionHere } from "./last-words.ts";
import { drop, isLivingPlace, tellHere } from "./left-words.ts";

/** A tab or a disk that hangs must not keep the app from opening; ms. */
const WITHIN_MS = 2_000;

type Places = Beside["places"];

/** @throws where it didn't come to an end; it bears the earlier version then, and may be tried again */
export async function putRight(user: UserId, kept: Beside, store: Store): Promise<void> {
  const late = AbortSignal.timeout(WITHIN_MS);
  const isLate = new Promise<never>((_, reject) => late.addEventListener("abort", () => reject(late.reason)));
  const work = (): Promise<void> => make(user, kept, store, late);
  const done = "locks" in navigator ? navigator.locks.request(COPIED + user, { signal: late }, work) : work();
  await Promise.race([done, isLate]);
}

async function make(user: UserId, kept: Beside, store: Store, late: AbortSignal): Promise<void> {
  // Another tab of those that came back with the browser has.
  if (versionHere(user) >= kept.version) return;
  forgetDone(() => localStorage, personDatabase(OWN_ISSUER, user), kept);
  const places = [...new Set([...Object.keys(kept.places), ...Object.keys(placesOf(user))])];
  const isAnswer = (place: string): boolean => place.startsWith(ANSWERED);
  for (const place of places.filter((each) => !isAnswer(each))) {
    // A tab that lives writes there.
    if (await isLivingPlace(place)) continue;
    late.throwIfAborted();
    put(place, kept.places[place] ?? null);
  }
  for (const place of places.filter(isAnswer)) {
    const owner = place.slice(ANSWERED.length);
    const channel = owner.slice(ownerOf(user, "").length) as ChannelId;
    // Under nothing it would be what is written next that answers it.
    const isWritten = placesIn(`${PLACES}${owner}.`).length > 0 || (await hasDraft(store, user, channel));
    late.throwIfAborted();
    const to = isWritten ? (kept.places[place] ?? null) : null;
    put(place, to);
  }
  // What was chosen in a tab that came back with the browser is no later.
  for (const place of placesIn(ANSWERED + ownerOf(user, ""), sessionStorage)) sessionStorage.removeItem(place);
  bear(user, kept.version);
}

/** As if the tab whose place it is had left it so. */
function put(place: string, stored: string | null): void {
  if (localStorage.getItem(place) === stored) return;
  if (stored === null) return drop(place);
  localStorage.setItem(place, stored);
  tellHere(place, stored);
}

/** All that this person's composers and editors hold. */
export function placesOf(user: UserId): Places {
  const owned = ownerOf(user, "");
  const places = [PLACES, ANSWERED, ENDED].flatMap((kind) => placesIn(kind + owned));
  return Object.fromEntries(places.map((place) => [place, localStorage.getItem(place) ?? ""]));
}

const placesIn = (begins: string, storage = localStorage): readonly string[] =>
  Object.keys(storage).filter((place) => place.startsWith(begins));

/** The browser's storage is as late as that copy. */
export const bear = (user: UserId, version: number): void => localStorage.setItem(COPIED + user, String(version));
