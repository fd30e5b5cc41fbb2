// The account's calls over the network: each may change who is here, and then the truth of it is asked for again.
import { failure, type Failure } from "#protocol/errors.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import type { Index } from "../store/index-database.ts";
import { removePersonDatabase } from "../store/remove-database.ts";
import type { SessionSnapshot } from "../store/snapshots.ts";
import { stripPerson } from "../store/strip.ts";
import type { View } from "../store/view.ts";
import { databaseOf, type AccountDeps } from "./account.ts";
import type { Account } from "./client.ts";
import { LOADING } from "../store/later-view.ts";
import { countsOf, draftsSynced, unsentLines, unsentView, wordsHere } from "./unsent.ts";
import { createEdge, type Edge } from "./edge.ts";

export interface CallsDeps extends Pick<AccountDeps, "ports" | "flush" | "leave" | "store"> {
  /** Where the edge's calls are. */
  readonly api: () => string;
  readonly index: Index;
  readonly session: View<SessionSnapshot>;
  readonly refresh: Account["refresh"];
  /** So that they let go of the person's store. */
  readonly tellTabs: () => void;
  /** Nobody is signed in any more. */
  readonly gone: () => void;
}

export type AccountCalls = Omit<Account, "session" | "config" | "refresh"> & Pick<Edge, "config" | "me">;

export function accountCalls(deps: CallsDeps): AccountCalls {
  const { index, session, refresh } = deps;
  const edge = createEdge(deps.ports, deps.api);

  const thenRefresh = async <T>(answer: Result<T, Failure>): Promise<Result<T, Failure>> => {
    if (!answer.ok) return answer;
    const refreshed = await refresh();
    return refreshed.ok ? answer : refreshed;
  };

  return {
    config: edge.config,
    me: edge.me,
    signUp: async (form) => voided(await thenRefresh(await edge.signUp(form))),
    signIn: async (form) => voided(await thenRefresh(await edge.signIn(form))),
    signOut: async (queue) => {
      const known = session.snapshot();
      if (known.state === "nobody") return ok(undefined);
      const store = deps.store();
      if (store !== null && queue === "none") {
        const { waitingCount, refusedCount } = await countsOf(store);
        const count = waitingCount + refusedCount;
        if (count > 0)
          return failed({ ...failure("invalid"), detail: `${count} of your changes have not been sent yet.` });
        // A draft of a moment ago is still held back here; the person's other devices are to have it.
        await deps.flush();
        await draftsSynced(store, deps.ports);
      }
      const answer = await edge.signOut();
      // A session that is over already needs no ending.
      if (!answer.ok && answer.error.code !== "unauthenticated") return answer;
      // Nobody was asked about what was written meanwhile, nor about a draft that no other device has.
      const keeps = queue === "keep" || (queue === "none" && store !== null && (await wordsHere(store)) > 0);
      const name = databaseOf(known);
      await index.leave(name, !keeps);
      deps.tellTabs();
      await deps.leave();
      const { indexedDB } = deps.ports;
      if (index.kind === "disk" && indexedDB !== null)
        await (keeps ? stripPerson : removePersonDatabase)(indexedDB, name);
      deps.gone();
      return ok(undefined);
    },
    unsent: () => {
      const store = deps.store();
      return store === null ? LOADING : unsentView(store, deps.ports.report);
    },
    exportUnsent: async () => {
      const [store, known] = [deps.store(), session.snapshot()];
      if (store === null || known.state === "nobody") return [];
      const lines: string[] = [];
      const about = { at: deps.ports.now(), person: known.person.email, build: "" };
      for await (const line of unsentLines(store, about)) lines.push(line);
      return lines;
    },
    createWorkspace: async (form) => thenRefresh(await edge.createWorkspace(form)),
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
