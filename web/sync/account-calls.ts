// The account's calls over the network: each may change who is here, and then the truth of it is asked for again.
import { failure, type ErrorCode, type Failure } from "#protocol/errors.ts";
import type { Config } from "#protocol/http.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { ended } from "../store/database.ts";
import { diskSource, storeSource, type ExportSource } from "../store/export-source.ts";
import { isQuota } from "../store/faults.ts";
import { CONFIG, databaseOf, type KnownSession } from "../store/index-database.ts";
import { cell, type Cell } from "../store/source.ts";
import type { Account } from "./client.ts";
import { backoffMs } from "./backoff.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { callOffAlone } from "./hold-back.ts";
import { emptyLeavings } from "./leavings.ts";
import { signingOut, takeBackOffline, type SigningOutDeps } from "./sign-out.ts";
import { NOTHING_UNSENT, unsentLines, unsentView } from "./unsent.ts";
import { createEdge, type Edge } from "./edge.ts";

export interface CallsDeps extends SigningOutDeps {
  readonly config: Cell<Config | null>;
  readonly refresh: Account["refresh"];
  /** Who is here from now on, as far as is known. */
  readonly take: (next: KnownSession) => Promise<void>;
}

export type AccountCalls = Omit<Account, "session" | "config" | "refresh"> &
  Pick<Edge, "me"> & {
    /** Their session is over: who is here may sign in again, and reads on until then. */
    readonly ended: () => Promise<void>;
    /** How the deployment is configured: known from now on, and at the next start. */
    readonly refreshConfig: () => Promise<void>;
  };

/** From whoever else answers in the edge's place, or nobody. */
const NO_ANSWER: ReadonlySet<ErrorCode> = new Set(["offline", "upstream_unavailable", "internal", "rate_limited"]);
const UNREACHED: ReadonlySet<ErrorCode> = new Set(["offline", "upstream_unavailable"]);
/** Then nobody was asked. */
const BY_CHOICE = failure("offline", { rule: "chosen" }).detail;

export function accountCalls(deps: CallsDeps): AccountCalls {
  const { index, session, refresh, ports } = deps;
  const api = (): string => (deps.config.snapshot() ?? DEFAULT_CONFIG).api;
  const edge = createEdge(ports, api);
  const goOnline = (): Promise<void> => takeBackOffline(deps.store());
  const leaving = signingOut(deps, api);

  // Nobody waits for it; what can't be emptied now is tried again at the next start.
  emptyLeavings(index, ports).catch(ports.report);

  let asking: unknown = null;
  let tries = 0;
  const unreached = cell(false);
  let wasIn = session.snapshot().state === "signed-in";
  session.subscribe(() => {
    const isIn = session.snapshot().state === "signed-in";
    // What `me` heard may be of hours ago, for it isn't asked again by itself while somebody is signed in; and that they
    // aren't any more was heard from the edge or a room just now, here or in another tab.
    if (wasIn && !isIn) unreached.set(false);
    wasIn = isIn;
  });
  const askIn = (ms: number): void => {
    asking = ports.timers.set(() => void refresh().catch(() => undefined), ms);
  };
  const askAgainIn = (ms: number): void => {
    if (ms === 0) return;
    ports.timers.clear(asking);
    askIn(ms);
  };
  /** Where nobody is signed in, there is nobody either who would notice that the line is good again. */
  const me: Edge["me"] = async () => {
    const answer = await edge.me();
    ports.timers.clear(asking);
    if (answer.ok) void leaving.stays(answer.value.user.id).then(askAgainIn, ports.report);
    // Anything else is an answer.
    const isNone = !answer.ok && NO_ANSWER.has(answer.error.code);
    tries = isNone ? tries + 1 : 0;
    unreached.set(!answer.ok && UNREACHED.has(answer.error.code) && answer.error.detail !== BY_CHOICE);
    if (isNone && session.snapshot().state !== "signed-in") {
      const ms = Math.max(backoffMs(tries, ports.random()), (answer.error.retryAfter ?? 0) * 1_000);
      askIn(ms);
    }
    return answer;
  };

  /** The workspace that is being made, and by whom: nobody's but theirs is this id. */
  let asked: { readonly id: WorkspaceId; readonly name: string; readonly by: UserId | null } | null = null;

  /** Of a database that a sign-out let go of and couldn't strip: all of it is there, and is about to be discarded. */
  const leftSource = async (known: KnownSession): Promise<ExportSource | null> =>
    index.kind === "memory" || ports.indexedDB === null ? null : diskSource(ports.indexedDB, databaseOf(known));

  /** Whose account was made here: asked for once more, since what follows failed, it is that one and not taken. */
  let made: string | null = null;

  const thenRefresh = async <T>(answer: Result<T, Failure>): Promise<Result<T, Failure>> => {
    if (!answer.ok) return answer;
    const refreshed = await refresh();
    return refreshed.ok ? answer : refreshed;
  };

  /** They are here anew: whatever they asked for when they were here before is over. */
  const thenBegin = async <T>(answer: Result<T, Failure>): Promise<Result<T, Failure>> => {
    const refreshed = await thenRefresh(answer);
    const [store, here] = [refreshed.ok ? deps.store() : null, session.snapshot()];
    if (store !== null && here.state !== "nobody")
      await callOffAlone(store, ports, here.person.user).catch(ports.report);
    return refreshed;
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
    unreached: async () => unreached,
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
      if (await leaving.hasLeft()) return;
      const known = session.snapshot();
      if (known.state === "signed-in") await deps.take({ ...known, state: "signed-out" });
    },
    signOut: leaving.signOut,
    unsent: async () => {
      const store = deps.store();
      return store === null ? NOTHING_UNSENT : unsentView(store, ports.report);
    },
    exportUnsent: async () => {
      const [store, known] = [deps.store(), session.snapshot()];
      if (known.state === "nobody") return [];
      const source = store === null ? await leftSource(known) : storeSource(store);
      if (source === null) return [];
      const lines: string[] = [];
      const about = { at: ports.now(), person: known.person.email, build: "" };
      try {
        for await (const line of unsentLines(source, about)) lines.push(line);
      } finally {
        source.close();
      }
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

function voided(result: Result<unknown, Failure>): Result<void, Failure> {
  return result.ok ? ok(undefined) : result;
}
