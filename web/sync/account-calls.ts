// The account's calls over the network: each may change who is here, and then the truth of it is asked for again.
import { failure, type ErrorCode, type Failure } from "#protocol/errors.ts";
import type { Config } from "#protocol/http.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { removeDraft } from "../store/drafts.ts";
import { ended } from "../store/database.ts";
import { isBroken, isQuota } from "../store/faults.ts";
import { CONFIG, databaseOf, type Index, type KnownSession } from "../store/index-database.ts";
import { putLeader } from "../store/meta.ts";
import { readOutbox, removeOp } from "../store/outbox.ts";
import { dropSearchIndex, removePersonDatabase, removePersonDatabaseUnless } from "../store/remove-database.ts";
import type { SessionSnapshot } from "../store/snapshots.ts";
import type { Store } from "../store/store.ts";
import type { Cell } from "../store/source.ts";
import { stripPerson } from "../store/strip.ts";
import { putWorkOffline, readWorkOffline } from "../store/work-offline.ts";
import type { View } from "../store/view.ts";
import type { AccountDeps } from "./account.ts";
import type { Account } from "./client.ts";
import { backoffMs } from "./backoff.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { holdBack } from "./hold-back.ts";
import { aloneInTime, inTime, StillHeld } from "./holding.ts";
import { emptyLeavings, haveLeft, leaveIndex } from "./leavings.ts";
import { draftsSynced, hasWords, NOTHING_UNSENT, readUnsent, unsentLines, unsentView } from "./unsent.ts";
import { createEdge, type Edge } from "./edge.ts";

export interface CallsDeps extends Pick<AccountDeps, "ports" | "flush" | "leave" | "store"> {
  readonly config: Cell<Config | null>;
  readonly index: Index;
  readonly session: View<SessionSnapshot>;
  readonly refresh: Account["refresh"];
  /** So that they let go of the person's store. */
  readonly tellTabs: () => void;
  /** From now on what was asked before is void. */
  readonly departing: () => void;
  /** Nobody is signed in any more. */
  readonly gone: () => void;
}

export type AccountCalls = Omit<Account, "session" | "config" | "refresh"> &
  Pick<Edge, "me"> & {
    /** How the deployment is configured: known from now on, and at the next start. */
    readonly refreshConfig: () => Promise<void>;
  };

/** From whoever else answers in the edge's place, or nobody. */
const NO_ANSWER: ReadonlySet<ErrorCode> = new Set(["offline", "upstream_unavailable", "internal", "rate_limited"]);

export function accountCalls(deps: CallsDeps): AccountCalls {
  const { index, session, refresh, ports } = deps;
  const edge = createEdge(ports, () => (deps.config.snapshot() ?? DEFAULT_CONFIG).api);

  // Nobody waits for it; what can't be emptied now is tried again at the next start.
  emptyLeavings(index, ports).catch(ports.report);

  let asking: unknown = null;
  let tries = 0;
  /** Where nobody is here as far as is known, there is nobody either who would notice that the line is good again. */
  const me: Edge["me"] = async () => {
    const answer = await edge.me();
    ports.timers.clear(asking);
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
    const unsent = await readUnsent(store).catch((error: unknown) => {
      ports.report(error);
      return null;
    });
    if (unsent === null) return ok("keep");
    const count = unsent.waiting.size + unsent.refused.size;
    if (count > 0) return failed({ ...failure("invalid"), detail: `${count} of your changes have not been sent yet.` });
    // A draft of a moment ago is still held back here; the person's other devices are to have it.
    await deps.flush();
    await draftsSynced(store, ports);
    return ok("none");
  };

  /** Takes a person off this device; answers whether nothing of them is left. */
  const cleared = async (known: KnownSession, queue: "none" | "keep" | "discard"): Promise<boolean> => {
    const { indexedDB: factory, newId } = ports;
    if (index.kind === "memory" || factory === null) return true;
    const name = databaseOf(known);
    const alone = <T>(work: () => Promise<T>): Promise<T> => aloneInTime(ports, name, work);
    if (queue === "discard") {
      // A tab without the lock may hold it: this is called off with this page, by most browsers, as a deletion isn't.
      await alone(() => removePersonDatabaseUnless(factory, name, async () => false)).catch((error: unknown) => {
        if (error instanceof StillHeld) throw error;
        return alone(() => removePersonDatabase(factory, name));
      });
      return true;
    }
    // Nobody was asked about what was written meanwhile, nor about a draft that no other device has.
    if (queue === "none" && (await alone(() => removePersonDatabaseUnless(factory, name, hasWords)))) return true;
    try {
      await stripPerson(factory, name);
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

  /** Ends their session, and takes them off this device. */
  const leave = async (
    known: KnownSession,
    queue: "none" | "keep" | "discard",
    store: Store | null,
  ): Promise<Result<void, Failure>> => {
    const answer = await edge.signOut();
    // A session that is over already needs no ending.
    if (!answer.ok && answer.error.code !== "unauthenticated") return answer;
    const name = databaseOf(known);
    deps.departing();
    const isGivenUp = queue === "discard";
    // Whoever holds the database, and whenever it goes: of this nothing is sent any more.
    if (isGivenUp && store !== null) await inTime(ports.timers, discardAll(store)).catch(() => undefined);
    await leaveIndex(index, name, queue !== "keep");
    deps.tellTabs();
    await deps.leave();
    const forget = async (): Promise<void> => {
      const notes = (await ports.surroundings?.())?.notes ?? null;
      const { forgetBeside } = await import("./forget-beside.ts");
      await forgetBeside({ index, notes, now: ports.now }, name, known.person.user, isGivenUp);
    };
    // Behind the database: until then another tab may still note what waits in it, and copy what it holds.
    try {
      if (await cleared(known, queue)) await forget();
      await haveLeft(index, name);
    } catch (error) {
      if (isGivenUp) await forget();
      throw error;
    }
    deps.gone();
    return ok(undefined);
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
      const entered = voided(await thenRefresh(answer));
      if (!isAgain) return entered;
      // Somebody else is here by now, or the session that it made is over.
      const here = session.snapshot();
      const isTheirs = here.state === "signed-in" && here.person.email.toLowerCase() === form.email.toLowerCase();
      if (!isTheirs && (entered.ok || entered.error.code === "unauthenticated")) made = null;
      return entered.ok && !isTheirs ? failed(failure("unauthenticated")) : entered;
    },
    signIn: async (form) => {
      await goOnline().catch(ports.report);
      return voided(await thenRefresh(await edge.signIn(form)));
    },
    signOut: async (asked) => {
      const known = session.snapshot();
      if (known.state === "nobody") return ok(undefined);
      const store = deps.store();
      const decided = store === null || asked !== "none" ? ok(asked) : await unasked(store);
      if (!decided.ok) return decided;
      const queue = decided.value;
      // Over already, with nobody at the screens on which one would choose otherwise: somebody else wants to be here.
      if (known.state === "signed-out") await goOnline().catch(ports.report);
      const holding = queue === "discard" && store !== null ? holdBack(store, ports, known.person.user) : null;
      try {
        // A disk that doesn't take it in time keeps nobody here.
        if (holding !== null) await inTime(ports.timers, holding).catch(() => undefined);
        return await leave(known, queue, store);
      } finally {
        void holding?.then(
          (goOn) => goOn(),
          () => undefined,
        );
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

async function discardAll(store: Store): Promise<void> {
  await store.write({ tables: ["outbox", "drafts", "meta"], durability: "strict" }, async (tx) => {
    // What another tab was about to send isn't numbered any more.
    putLeader(tx, "");
    for (const op of await readOutbox(tx)) removeOp(tx, op);
    for (const draft of await tx.all("drafts")) removeDraft(tx, draft);
  });
}

function voided(result: Result<unknown, Failure>): Result<void, Failure> {
  return result.ok ? ok(undefined) : result;
}
