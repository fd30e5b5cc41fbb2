// Who this device works for, and what lies outside a workspace. The session is kept on disk: it opens without a network,
// and its end never takes what was stored.
import type { Failure } from "#protocol/errors.ts";
import type { Config, Me } from "#protocol/http.ts";
import { ok, type Result } from "#protocol/result.ts";
import { databaseOf, type Index, type KnownSession } from "../store/index-database.ts";
import { loadedOnce } from "../store/loaded-once.ts";
import type { SessionSnapshot } from "../store/snapshots.ts";
import { cell } from "../store/source.ts";
import type { Bus, Store } from "../store/store.ts";
import type { Account } from "./client.ts";
import { behind } from "./behind.ts";
import type { Ports } from "./ports.ts";
import { untilHere } from "./until-here.ts";

export interface AccountDeps {
  readonly ports: Ports;
  readonly index: Index;
  /** Between all tabs, whoever is signed in. */
  readonly bus: Bus;
  readonly initial: { readonly last: KnownSession | null; readonly config: Config | null };
  /** Opens the person's store before the session says that they are here. */
  readonly enter: (session: KnownSession) => Promise<void>;
  /** Past the person's choice to work offline. */
  readonly fetch: Ports["fetch"];
  /** What is held back a while is on its way at once. */
  readonly flush: () => Promise<void>;
  /** Lets go of the person's store. */
  readonly leave: () => Promise<void>;
  /** Of the person who is here. */
  readonly store: () => Store | null;
  /** The session is on again: links may open. */
  readonly resumed: () => void;
}

export interface OpenAccount {
  readonly account: Account;
  /** Null before the first; then that of default-config.ts is so. */
  readonly configuration: () => Config | null;
  /** The rooms' word that the session is over, or on. */
  readonly sessionSeen: (isOver: boolean) => void;
}

export function openAccount(deps: AccountDeps): OpenAccount {
  const { ports, index, bus, initial } = deps;
  const session = cell<SessionSnapshot>(initial.last ?? { state: "nobody" });
  const config = cell<Config | null>(initial.config);
  /** How often somebody began to sign out here: what was asked of the edge before must not bring them back. */
  let departures = 0;
  const who = (): string => {
    const now = session.snapshot();
    return `${departures} ${now.state === "nobody" ? "" : now.person.user}`;
  };
  /** All of it needs the network, so its code comes when it is first called. */
  const calls = loadedOnce(async () => {
    const { accountCalls } = await import("./account-calls.ts");
    return accountCalls({ ...deps, config, session, refresh, take, tellTabs, departing, gone });
  });

  const tellTabs = (): void => bus.send({ type: "session" });

  const take = async (next: KnownSession): Promise<void> => {
    const asked = who();
    const was = session.snapshot();
    const over = was.state === "nobody" ? undefined : databaseOf(was);
    // Else they were signed out in another tab, whose word of it is on its way.
    if (!(await index.putSession(databaseOf(next), next, over))) return;
    if (asked === who()) await deps.enter(next);
    if (asked !== who()) return;
    session.set(next);
    tellTabs();
  };

  const took = async ({ user, workspaces }: Me): Promise<void> => {
    const was = session.snapshot();
    await take({ state: "signed-in", person: { user: user.id, name: user.name, email: user.email }, workspaces });
    if (was.state !== "signed-in") deps.resumed();
  };

  const ended = async (): Promise<void> => (await calls()).ended();

  const refresh = async (): Promise<Result<void, Failure>> => {
    // Nobody waits for this, and a first visit comes to nothing without it.
    const loaded = await untilHere(calls, ports.timers);
    const before = session.snapshot();
    const asked = who();
    const [, answer] = await Promise.all([loaded.refreshConfig(), loaded.me()]);
    // Of somebody who signed out since, or of who was here before them: they would be here again.
    if (asked !== who()) return answer.ok ? ok(undefined) : answer;
    if (answer.ok) await took(answer.value);
    // One that was renewed since isn't over; if it is, the next call says so.
    else if (answer.error.code === "unauthenticated" && before === session.snapshot()) await ended();
    return answer.ok ? ok(undefined) : answer;
  };

  /** Another tab signed in or out. */
  const reload = async (): Promise<void> => {
    const { last, config: newest, hasLeft } = await index.read();
    if (newest !== null) config.set(newest);
    if (hasLeft) {
      // What this tab asked before is void, too.
      departing();
      // Nothing of theirs is sent or shown in any tab from now on; who is here again begins with what is stored.
      await deps.leave();
      session.set({ state: "nobody" });
    }
    // Whoever is here though nobody is known, recover.ts puts back.
    if (last === null) return;
    await deps.enter(last);
    session.set(last);
  };

  bus.listen((message) => {
    const isOurs = typeof message === "object" && message !== null && "type" in message && message.type === "session";
    if (isOurs && index.kind === "disk") void reload().catch(ports.report);
  });

  const departing = (): void => {
    departures += 1;
  };

  const gone = (): void => {
    session.set({ state: "nobody" });
    tellTabs();
  };

  const account: Account = {
    session,
    config,
    ...behind(["signUp", "signIn", "signOut", "createWorkspace", "invitation", "join"], calls),
    unsent: async () => (await calls()).unsent(),
    exportUnsent: async () => (await calls()).exportUnsent(),
    unreached: async () => (await untilHere(calls, ports.timers)).unreached(),
    refresh,
  };

  return {
    account,
    configuration: config.snapshot,
    sessionSeen: (isOver) => {
      const { state } = session.snapshot();
      if (isOver && state === "signed-in") void ended().catch(ports.report);
      if (!isOver && state === "signed-out") void refresh().catch(ports.report);
    },
  };
}
