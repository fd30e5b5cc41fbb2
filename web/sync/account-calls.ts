// The account's calls over the network: each may change who is here, and then the truth of it is asked for again.
import { failure, type ErrorCode, type Failure } from "#protocol/errors.ts";
import type { Config } from "#protocol/http.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { ended } from "../store/database.ts";
import { isBroken, isQuota } from "../store/faults.ts";
import { CONFIG, databaseOf, type Index, type KnownSession } from "../store/index-database.ts";
import { dropGivenUp, lastPlace, LEAVING_TABLES, putLeaving, readLeaving, type Leaving } from "../store/leaving.ts";
import { putLeader } from "../store/meta.ts";
import { dropSearchIndex, removePersonDatabase, removePersonDatabaseUnless } from "../store/remove-database.ts";
import type { Person, SessionSnapshot } from "../store/snapshots.ts";
import type { Store } from "../store/store.ts";
import type { Cell } from "../store/source.ts";
import { stripPerson } from "../store/strip.ts";
import { putWorkOffline, readWorkOffline, WORKING_OFFLINE } from "../store/work-offline.ts";
import type { View } from "../store/view.ts";
import type { AccountDeps } from "./account.ts";
import type { Account } from "./client.ts";
import { backoffMs } from "./backoff.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { callOff, callOffLeft, discardGivenUp, holdBack, onceNobodyLeaves } from "./hold-back.ts";
import { aloneInTime, inTime, StillHeld } from "./holding.ts";
import { emptyLeavings, haveLeft, leaveIndex } from "./leavings.ts";
import { draftsSynced, hasWords, NOTHING_UNSENT, readUnsent, unsentLines, unsentView } from "./unsent.ts";
import { createEdge, type Edge } from "./edge.ts";

export interface CallsDeps extends Pick<AccountDeps, "ports" | "fetch" | "flush" | "leave" | "store"> {
  readonly config: Cell<Config | null>;
  readonly index: Index;
  readonly session: View<SessionSnapshot>;
  readonly refresh: Account["refresh"];
  /** Who is here from now on, as far as is known. */
  readonly take: (next: KnownSession) => Promise<void>;
  /** So that they let go of the person's store. */
  readonly tellTabs: () => void;
  /** From now on what was asked before is void. */
  readonly departing: () => void;
  /** Nobody is signed in any more. */
  readonly gone: () => void;
}

export type AccountCalls = Omit<Account, "session" | "config" | "refresh"> &
  Pick<Edge, "me"> & {
    /** Their session is over: who is here may sign in again, and reads on until then. */
    readonly ended: () => Promise<void>;
    /** How the deployment is configured: known from now on, and at the next start. */
    readonly refreshConfig: () => Promise<void>;
  };

const KEEPS_NOTHING =
  "This browser keeps nothing: what isn't delivered would be lost. Deliver it, save a copy, or discard it.";

/** A disk that failed; ms. */
const AGAIN_AFTER_MS = 1_000;

/** From whoever else answers in the edge's place, or nobody. */
const NO_ANSWER: ReadonlySet<ErrorCode> = new Set(["offline", "upstream_unavailable", "internal", "rate_limited"]);

export function accountCalls(deps: CallsDeps): AccountCalls {
  const { index, session, refresh, ports } = deps;
  const api = (): string => (deps.config.snapshot() ?? DEFAULT_CONFIG).api;
  const edge = createEdge(ports, api);
  /** A disk that hangs beside another tab keeps nobody here: whoever presses that wants the network. */
  const fetchInTime: AccountDeps["fetch"] = async (input, init) => {
    const choice = deps.store()?.read(["meta"], readWorkOffline) ?? Promise.resolve(false);
    if (await inTime(ports.timers, choice).catch(isNot)) throw new TypeError(WORKING_OFFLINE);
    // Who closes the tab behind that press is signed out all the same.
    return deps.fetch(input, { ...init, keepalive: true });
  };
  const leaving = createEdge({ ...ports, fetch: fetchInTime }, api);

  // Nobody waits for it; what can't be emptied now is tried again at the next start.
  emptyLeavings(index, ports).catch(ports.report);

  let asking: unknown = null;
  let tries = 0;
  /** Where nobody is here as far as is known, there is nobody either who would notice that the line is good again. */
  const me: Edge["me"] = async () => {
    const answer = await edge.me();
    ports.timers.clear(asking);
    if (answer.ok) void stays(answer.value.user.id).catch(ports.report);
    // Anything else is an answer.
    const isNone = !answer.ok && NO_ANSWER.has(answer.error.code);
    tries = isNone ? tries + 1 : 0;
    if (isNone && session.snapshot().state === "nobody") {
      const ms = Math.max(backoffMs(tries, ports.random()), (answer.error.retryAfter ?? 0) * 1_000);
      asking = ports.timers.set(() => void refresh().catch(() => undefined), ms);
    }
    return answer;
  };

  /** The workspace that is being made, and by whom: nobody's but theirs is this id. */
  let asked: { readonly id: WorkspaceId; readonly name: string; readonly by: UserId | null } | null = null;

  /** Whose account was made here: asked for once more, since what follows failed, it is that one and not taken. */
  let made: string | null = null;

  const thenRefresh = async <T>(answer: Result<T, Failure>): Promise<Result<T, Failure>> => {
    if (!answer.ok) return answer;
    const refreshed = await refresh();
    // What they asked for when they were last here is over.
    return refreshed.ok ? answer : refreshed;
  };

  /** Who signs in wants the network: nothing else takes a choice to work offline back where its person has no screens. */
  const goOnline = async (): Promise<void> => {
    const store = deps.store();
    if (store === null || !(await store.read(["meta"], readWorkOffline))) return;
    await store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putWorkOffline(tx, false));
  };

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

  /** Takes a person off this device; answers whether nothing of them is left. */
  const cleared = async (
    known: KnownSession,
    queue: "none" | "keep" | "discard",
    mustStay: typeof hasWords,
  ): Promise<boolean> => {
    const { indexedDB: factory, newId } = ports;
    if (index.kind === "memory" || factory === null) return true;
    const name = databaseOf(known);
    const alone = <T>(work: () => Promise<T>): Promise<T> => aloneInTime(ports, name, work);
    if (queue === "discard") {
      // A tab without the lock may hold it: this is called off with this page, by most browsers, as a deletion isn't.
      const isRemoved = await alone(() => removePersonDatabaseUnless(factory, name, mustStay)).catch(
        async (error: unknown) => {
          if (error instanceof StillHeld) throw error;
          await alone(() => removePersonDatabase(factory, name));
          return true;
        },
      );
      if (isRemoved) return true;
    }
    // Nobody was asked about what was written meanwhile, nor about a draft that no other device has.
    if (queue === "none" && (await alone(() => removePersonDatabaseUnless(factory, name, mustStay)))) return true;
    try {
      await inTime(ports.timers, stripPerson(factory, name));
      await alone(() => dropSearchIndex(factory, name));
    } catch (error) {
      if (!isBroken(error)) throw error;
      // What can't be taken out of it goes with all of it, and what nobody else has is stored anew.
      const { rebuild } = await import("./rebuild.ts");
      const workspaces = known.workspaces.map(({ id }) => id);
      const done = await rebuild({ factory, name, held: new Set(), workspaces, withoutUnread: false, newId });
      if (done === "unread") throw error;
    }
    return false;
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

  /** They are here anew: whatever they asked for when they were here before is over. */
  const thenBegin = async <T>(answer: Result<T, Failure>): Promise<Result<T, Failure>> => {
    const refreshed = await thenRefresh(answer);
    const store = refreshed.ok ? deps.store() : null;
    if (store !== null) await discardGivenUp(store).then(() => callOff(store), ports.report);
    return refreshed;
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
    const answer = await leaving.signOut(calledOff);
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
    const forget = async (): Promise<void> => {
      const notes = (await ports.surroundings?.())?.notes ?? null;
      const { forgetBeside } = await import("./forget-beside.ts");
      await forgetBeside({ index, notes, now: ports.now }, name, known.person.user, isGivenUp);
    };
    // Behind the database: until then another tab may still note what waits in it, and copy what it holds.
    try {
      if (await cleared(known, queue, isDropped ? hasWords : async () => false)) await forget();
      await haveLeft(index, name);
    } catch (error) {
      if (isGivenUp) await forget();
      throw error;
    }
    deps.gone();
    return ok(undefined);
  };

  /** Whose session the edge knows: what a tab that ended asked for doesn't come about. */
  const stays = async (user: UserId): Promise<void> => {
    const store = deps.store();
    if (store !== null && isHere({ person: { user } })) await callOffLeft(store, ports, user);
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

  return {
    refreshConfig: async () => {
      const answer = await edge.config();
      if (!answer.ok) return;
      deps.config.set(answer.value);
      if (index.begin === null) return;
      try {
        const tx = await index.begin("readwrite");
        tx.objectStore("meta").put(answer.value, CONFIG);
        await ended(tx);
      } catch (error) {
        // Who is here is asked all the same.
        if (!isQuota(error)) ports.report(error);
      }
    },
    me,
    signUp: async (form) => {
      await goOnline().catch(ports.report);
      const isAgain = made === form.email;
      const answer = isAgain ? ok(undefined) : await edge.signUp(form);
      if (answer.ok) made = form.email;
      const entered = voided(await thenBegin(answer));
      if (!isAgain) return entered;
      // Somebody else is here by now, or the session that it made is over.
      const here = session.snapshot();
      const isTheirs = here.state === "signed-in" && here.person.email.toLowerCase() === form.email.toLowerCase();
      if (!isTheirs && (entered.ok || entered.error.code === "unauthenticated")) made = null;
      return entered.ok && !isTheirs ? failed(failure("unauthenticated")) : entered;
    },
    signIn: async (form) => {
      await goOnline().catch(ports.report);
      return voided(await thenBegin(await edge.signIn(form)));
    },
    ended: async () => {
      if (await hasLeft()) return;
      const known = session.snapshot();
      if (known.state === "signed-in") await deps.take({ ...known, state: "signed-out" });
    },
    signOut: async (asked, calledOff) => {
      const known = session.snapshot();
      if (known.state === "nobody") return ok(undefined);
      const store = deps.store();
      const decided = store === null || asked !== "none" ? ok(asked) : await unasked(store);
      if (!decided.ok) return decided;
      const queue = decided.value;
      if (queue === "keep" && index.kind === "memory") return failed({ ...failure("invalid"), detail: KEEPS_NOTHING });
      const { user } = known.person;
      // What is written from here on isn't given up, however long this waits.
      const upTo = store === null ? 0 : await inTime(ports.timers, store.read(["outbox"], lastPlace)).catch(() => ALL);
      const press = { queue, by: ports.newId(), at: ports.now(), upTo };
      const over = new AbortController();
      try {
        if (store !== null) {
          // A disk that doesn't take it in time keeps nobody here.
          await inTime(ports.timers, holdBack(store, ports, user, press, over.signal)).catch(() => undefined);
        }
        // Over already, with nobody at the screens on which one would choose otherwise: somebody else wants to be here.
        if (known.state === "signed-out") await inTime(ports.timers, goOnline()).catch(ports.report);
        // Pressed twice: the other press had it until then.
        if (!isHere(known)) return ok(undefined);
        const left = await leave(known, queue, store, { press, calledOff });
        if (!left.ok && store !== null) await calledOffAtLast(store, press.by);
        return left;
      } finally {
        over.abort();
      }
    },
    unsent: async () => {
      const store = deps.store();
      return store === null ? NOTHING_UNSENT : unsentView(store, ports.report);
    },
    exportUnsent: async () => {
      const [store, known] = [deps.store(), session.snapshot()];
      if (store === null || known.state === "nobody") return [];
      const lines: string[] = [];
      const about = { at: ports.now(), person: known.person.email, build: "" };
      for await (const line of unsentLines(store, about)) lines.push(line);
      return lines;
    },
    createWorkspace: async (form) => {
      // Where no answer came it may be there: asked for again, it is that one.
      const who = session.snapshot();
      const by = who.state === "nobody" ? null : who.person.user;
      if (asked?.name !== form.name || asked.by !== by)
        asked = { id: ports.newId() as WorkspaceId, name: form.name, by };
      const answer = await thenRefresh(await edge.createWorkspace({ ...form, id: asked.id }));
      if (answer.ok) asked = null;
      return answer;
    },
    invitation: edge.invitation,
    join: async (code) => {
      const answer = await thenRefresh(await edge.accept(code));
      return answer.ok ? ok({ ...answer.value.workspace, role: answer.value.role }) : answer;
    },
  };
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

/** Beside a disk that doesn't answer nobody writes on. */
const ALL = Number.MAX_SAFE_INTEGER;

const isSo = (): boolean => true;
const isNot = (): boolean => false;

function voided(result: Result<unknown, Failure>): Result<void, Failure> {
  return result.ok ? ok(undefined) : result;
}
