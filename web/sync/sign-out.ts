// Signing out: the edge ends the session, and then this device lets go of what it holds. What was asked for is noted before
// that (hold-back.ts), for the tab may end in between; whoever hears later that the session is over does the rest.
import { failure, type Failure } from "#protocol/errors.ts";
import type { UserId } from "#protocol/ids.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { databaseOf, type Index, type KnownSession } from "../store/index-database.ts";
import { ALL, dropGivenUp, LEAVING_TABLES, putLeaving, readLeaving, standing, type Leaving } from "../store/leaving.ts";
import { putLeader } from "../store/meta.ts";
import type { TableName } from "../store/schema.ts";
import { removePersonDatabaseUnless } from "../store/remove-database.ts";
import type { Person, SessionSnapshot } from "../store/snapshots.ts";
import type { Store } from "../store/store.ts";
import { stripPerson } from "../store/strip.ts";
import type { View } from "../store/view.ts";
import { putWorkOffline, readWorkOffline, WORKING_OFFLINE } from "../store/work-offline.ts";
import type { AccountDeps } from "./account.ts";
import { clearPerson } from "./clear-person.ts";
import type { Account } from "./client.ts";
import { createEdge } from "./edge.ts";
import type { Forgotten } from "./forget-beside.ts";
import { callOff, callOffLeft, holdBack, noteLeaving, onceNobodyLeaves } from "./hold-back.ts";
import { aloneInTime, inTime, StillHeld } from "./holding.ts";
import { heldWhileAsked } from "./held-while-asked.ts";
import { forgetPerson, haveLeft, leaveIndex } from "./leavings.ts";
import { draftsSynced, hasWords, readUnsent } from "./unsent.ts";

export interface SigningOutDeps extends Pick<AccountDeps, "ports" | "fetch" | "flush" | "leave" | "store"> {
  readonly index: Index;
  readonly session: View<SessionSnapshot>;
  /** So that they let go of the person's store. */
  readonly tellTabs: () => void;
  /** From now on what was asked before is void. */
  readonly departing: () => void;
  /** Nobody is signed in any more. */
  readonly gone: () => void;
}

export interface SigningOut {
  readonly signOut: Account["signOut"];
  /**
   * Whose session the edge knows: what a tab that ended asked for doesn't come about.
   * @returns after how long to ask the edge once more; ms, 0 where there is no need to
   */
  readonly stays: (user: UserId) => Promise<number>;
  /** Does the rest for who asked to sign out in a tab that ended before it heard that the session had; answers whether. */
  readonly hasLeft: () => Promise<boolean>;
}

const KEEPS_NOTHING =
  "This browser keeps nothing: what isn't delivered would be lost. Deliver it, save a copy, or discard it.";

const ANOTHER_LEAVES =
  "Another tab of Causeway is signing out, or still asks what is to become of this. Go on there, or cancel it there.";

/** A disk that failed; ms. */
const AGAIN_AFTER_MS = 1_000;

/** @param api where the edge's calls are, by the configuration */
export function signingOut(deps: SigningOutDeps, api: () => string): SigningOut {
  const { index, session, ports } = deps;
  /** A disk that hangs beside another tab keeps nobody here: whoever presses that wants the network. */
  const fetchInTime: AccountDeps["fetch"] = async (input, init) => {
    const choice = deps.store()?.read(["meta"], readWorkOffline) ?? Promise.resolve(false);
    if (await inTime(ports.timers, choice).catch(isNot)) throw new TypeError(WORKING_OFFLINE);
    // Who closes the tab behind that press is signed out all the same: the page asks once more as it goes. The first ends with
    // its page, for Chromium (156) sends one that outlives it once the line is back, though it was called off long before.
    const stop = ports.page.listen((event) => {
      if (event === "pagehide") deps.fetch(input, { ...init, keepalive: true }).catch(() => undefined);
    });
    return deps.fetch(input, init).finally(stop);
  };
  const edge = createEdge({ ...ports, fetch: fetchInTime }, api);

  /** What becomes of the queue of a person who wasn't asked: there is none, or it can't be read, and then it stays. */
  const unasked = async (store: Store): Promise<Result<"none" | "keep", Failure>> => {
    const unsent = await inTime(ports.timers, readUnsent(store)).catch((error: unknown) => {
      if (!(error instanceof StillHeld)) ports.report(error);
      return null;
    });
    if (unsent === null) return ok("keep");
    const count = unsent.waiting.size + unsent.refused.size;
    if (count > 0) return failed({ ...failure("invalid"), detail: `${count} of your changes have not been sent yet.` });
    // A draft of a moment ago is still held back here; the person's other devices are to have it.
    await inTime(ports.timers, deps.flush()).catch((error: unknown) => {
      if (!(error instanceof StillHeld)) throw error;
    });
    await draftsSynced(store, ports);
    return ok("none");
  };

  /** Said to be so when it is: what is still noted would be given up by whoever finds it. */
  const calledOffAtLast = async (store: Store, by: string): Promise<void> => {
    while (deps.store() === store) {
      try {
        return await callOff(store, by);
      } catch (error) {
        ports.report(error);
        await new Promise((resolve) => ports.timers.set(() => resolve(undefined), AGAIN_AFTER_MS));
      }
    }
  };

  /** Of who has left with what they kept. */
  const discardKept = async (known: KnownSession, press: Leaving): Promise<void> => {
    const { indexedDB: factory } = ports;
    if (index.kind === "memory" || factory === null) return;
    const name = databaseOf(known);
    try {
      await inTime(ports.timers, stripPerson(factory, name, press));
      await forgetPerson(index, name);
      await aloneInTime(ports, name, () => removePersonDatabaseUnless(factory, name, hasWords));
    } finally {
      await forget(known, { isGivenUp: true, isGone: true });
    }
  };

  /** What is kept of them beside the database. */
  const forget = async (known: KnownSession, what: Forgotten): Promise<void> => {
    const notes = (await ports.surroundings?.())?.notes ?? null;
    const { forgetBeside } = await import("./forget-beside.ts");
    await forgetBeside({ index, notes, now: ports.now }, databaseOf(known), known.person.user, what);
  };

  const isHere = ({ person }: { readonly person: Pick<Person, "user"> }): boolean => {
    const now = session.snapshot();
    return now.state !== "nobody" && now.person.user === person.user;
  };

  /**
   * Ends their session, and takes them off this device.
   * @param press what was asked for in this tab
   * @param calledOff until the session has ended
   */
  const leave = async (
    known: KnownSession,
    queue: "none" | "keep" | "discard",
    store: Store | null,
    { press = null, calledOff }: { readonly press?: Leaving | null; readonly calledOff?: AbortSignal | undefined } = {},
  ): Promise<Result<void, Failure>> => {
    const answer = await edge.signOut(calledOff);
    // A session that is over already needs no ending.
    if (!answer.ok && answer.error.code !== "unauthenticated") return answer;
    if (calledOff?.aborted === true) return failed(failure("unauthenticated"));
    const name = databaseOf(known);
    deps.departing();
    const isGivenUp = queue === "discard";
    // Whoever holds the database, and whenever it goes: of this nothing is sent any more.
    const isDropped =
      !isGivenUp || (store !== null && (await inTime(ports.timers, giveUp(store, press)).then(isSo, isNot)));
    await leaveIndex(index, name, queue !== "keep");
    deps.tellTabs();
    // Beside a tab that hangs while it stores, what is under way comes to no end.
    await inTime(ports.timers, deps.leave()).catch(() => undefined);
    // Behind the database: until then another tab may still note what waits in it, and copy what it holds.
    try {
      const isGone = await clearPerson(deps, known, { queue, press: isGivenUp ? press : null, isDropped });
      // What another tab wrote behind the press stays, and what was given up goes beside it too.
      if (isGone || isGivenUp) await forget(known, { isGivenUp, isGone });
      await haveLeft(index, name);
    } catch (error) {
      if (isGivenUp) await forget(known, { isGivenUp, isGone: true });
      throw error;
    }
    deps.gone();
    return ok(undefined);
  };

  const stays: SigningOut["stays"] = async (user) => {
    const store = deps.store();
    return store !== null && isHere({ person: { user } }) ? callOffLeft(store, ports, user) : 0;
  };

  /** Does the rest for who asked to sign out in a tab that ended before it heard that the session had; answers whether. */
  const hasLeft = async (): Promise<boolean> => {
    const [known, store] = [session.snapshot(), deps.store()];
    if (known.state === "nobody" || store === null) return false;
    const asked = (): Promise<Leaving | null> => store.read(["meta"], readLeaving);
    if ((await inTime(ports.timers, asked()).catch(() => null)) === null) return false;
    const finish = async (): Promise<boolean> => {
      // Whoever was at it is through, or has called it off.
      const leaving = deps.store() === store ? await asked() : null;
      if (leaving === null) return false;
      try {
        return (await leave(known, leaving.queue, store)).ok;
      } catch (error) {
        if (deps.store() === store) throw error;
        // The rest goes at the next start.
        if (!(error instanceof StillHeld)) ports.report(error);
        deps.gone();
        return true;
      }
    };
    return (await onceNobodyLeaves(ports, known.person.user, finish)) === true;
  };

  const askedAgain = heldWhileAsked(ports.timers);

  const signOut: Account["signOut"] = async (asked, calledOff) => {
    const known = session.snapshot();
    if (known.state === "nobody") return ok(undefined);
    const store = deps.store();
    const { user } = known.person;
    const before = askedAgain.takeOver(user);
    const over = before ?? new AbortController();
    try {
      const decided = store === null || asked !== "none" ? ok(asked) : await unasked(store);
      if (!decided.ok) return decided;
      const queue = decided.value;
      if (queue === "keep" && index.kind === "memory") return failed({ ...failure("invalid"), detail: KEEPS_NOTHING });
      // What is written from here on isn't given up, however long this waits.
      const stood =
        store === null ? ALL : await inTime(ports.timers, store.read(STANDING_TABLES, standing)).catch(() => ALL);
      const press = { queue, by: ports.newId(), at: ports.now(), ...stood };
      const isHeld = store === null ? null : before !== null || (await holdBack(ports, user, over.signal, calledOff));
      if (calledOff?.aborted === true) return failed(failure("unauthenticated"));
      if (!isHere(known)) {
        // Pressed in two tabs, and the other had it until then: what is given up here may have been kept there.
        if (queue === "discard") await discardKept(known, press);
        return ok(undefined);
      }
      if (isHeld === false) return failed({ ...failure("invalid"), detail: ANOTHER_LEAVES });
      // A disk that doesn't take it in time keeps nobody here. Where no lock says when that is over, it would stand for good.
      if (store !== null && isHeld) await inTime(ports.timers, noteLeaving(store, ports, press)).catch(() => undefined);
      // Over already, with nobody at the screens on which one would choose otherwise: somebody else wants to be here.
      if (known.state === "signed-out") await inTime(ports.timers, takeBackOffline(store)).catch(ports.report);
      const left = await leave(known, queue, store, { press, calledOff });
      if (!left.ok && store !== null) await calledOffAtLast(store, press.by);
      if (!left.ok && queue === "discard" && isHeld && calledOff?.aborted === false) {
        askedAgain.hold({ user, over, closed: calledOff });
        return failed({ ...left.error, isHeldBack: true });
      }
      return left;
    } finally {
      if (!askedAgain.isHeld(over)) over.abort();
    }
  };

  return { signOut, stays, hasLeft };
}

/** Of what is given up nothing is sent any more, whoever holds the database, and whenever it goes. */
async function giveUp(store: Store, press: Leaving | null): Promise<void> {
  await store.write({ tables: LEAVING_TABLES, durability: "strict" }, async (tx) => {
    // What another tab was about to send isn't numbered any more.
    putLeader(tx, "");
    // Not noted before where there are no locks, the disk was late, or another tab's press came between.
    if (press !== null) putLeaving(tx, press);
    await dropGivenUp(tx);
  });
}

const STANDING_TABLES: readonly TableName[] = ["outbox", "drafts"];

const isSo = (): boolean => true;
const isNot = (): boolean => false;

/** Who signs in wants the network: nothing else takes a choice to work offline back where its person has no screens. */
export async function takeBackOffline(store: Store | null): Promise<void> {
  if (store === null || !(await store.read(["meta"], readWorkOffline))) return;
  await store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putWorkOffline(tx, false));
}
