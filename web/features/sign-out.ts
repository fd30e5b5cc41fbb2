// Signing out, whoever asks for it: with a queue that is discarded goes what composers hold beside the database, which
// else stays its person's. It always ends in words: a disk that fails leaves nobody before a busy button.
import { failed, type Result } from "#protocol/result.ts";
import { COPIED } from "../store/index-database.ts";
import type { Account, NotSignedOut } from "../sync/client.ts";
import { s } from "../ui/strings-more.ts";
import { ANSWERED, ENDED } from "./answered.ts";
import { held, ownerOf, PLACES } from "./composer/last-words.ts";
import { tellHere } from "./composer/left-words.ts";

export interface SignOutFailure extends NotSignedOut {
  /**
   * It is this device that couldn't. The session may have ended and the store be closed by then: there is no way back to
   * the screen, only to the app's beginning; and what can't be taken out may still go as a whole.
   */
  readonly isStuck?: true;
  /** They are signed out; what is stored here goes when another tab lets go of it. */
  readonly isHeld?: true;
}

/** @param calledOff until the session has ended */
export async function signOut(
  account: Account,
  queue: "none" | "keep" | "discard",
  calledOff: AbortSignal,
): Promise<Result<void, SignOutFailure>> {
  const session = account.session.snapshot();
  try {
    const result = await account.signOut(queue, calledOff);
    if (result.ok && queue === "discard" && session.state !== "nobody") forgetWords(session.person.user);
    return result;
  } catch (error) {
    const isHeld = error instanceof Error && error.name === "StillHeld";
    if (isHeld && queue === "discard" && session.state !== "nobody") forgetWords(session.person.user);
    if (isHeld) return failed({ code: "internal", detail: s.signOut.held, isStuck: true, isHeld });
    reportError(error);
    return failed({ code: "internal", detail: s.signOut.failed, isStuck: true });
  }
}

function forgetWords(user: string): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      const places = Object.keys(storage).filter(
        (place) =>
          place === COPIED + user || [PLACES, ANSWERED, ENDED].some((kind) => place.startsWith(`${kind}${user}.`)),
      );
      for (const key of places) {
        storage.removeItem(key);
        tellHere(key);
      }
    }
  } catch {
    // Blocked: then they are in this page's memory alone.
    for (const owner of held.keys()) if (owner.startsWith(ownerOf(user, ""))) held.delete(owner);
  }
}
