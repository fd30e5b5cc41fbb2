// The account's calls where no answer comes: what may have been done all the same isn't done twice.
import { IDBFactory } from "fake-indexeddb";
import { expect, it } from "vitest";
import { personDatabase } from "../store/index-database.ts";
import { memoryIndex } from "../store/memory-index.ts";
import { openStore } from "../store/open-store.ts";
import { appendOp } from "../store/outbox.ts";
import { cell } from "../store/source.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { failure } from "#protocol/errors.ts";
import { AUTH_TIMEOUT_MS } from "#protocol/limits.ts";
import { failed, ok } from "#protocol/result.ts";
import type { SessionSnapshot } from "../store/snapshots.ts";
import { WORKING_OFFLINE } from "../store/work-offline.ts";
import { outboxOf, post } from "../test/ops.ts";
import { accountCalls, type CallsDeps } from "./account-calls.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

function calls(answer: (asked: number) => Response): {
  readonly createWorkspace: ReturnType<typeof accountCalls>["createWorkspace"];
  readonly ids: unknown[];
  readonly enter: (user: string) => void;
} {
  const ids: unknown[] = [];
  const session = cell<SessionSnapshot>({ state: "nobody" });
  const ports = {
    origin: "http://ship.example",
    timers: { set: () => 0, clear: () => undefined },
    newId: () => `made-${ids.length}`,
    fetch: async (_url: unknown, init: RequestInit) => {
      ids.push((JSON.parse(init.body as string) as { id: unknown }).id);
      return answer(ids.length);
    },
  };
  const deps = {
    ports,
    config: cell(null),
    session,
    index: memoryIndex(),
    store: () => null,
    refresh: async () => ({ ok: true, value: undefined }),
  };
  const enter = (user: string): void => {
    session.set({ state: "signed-in", person: { user }, workspaces: [] } as unknown as SessionSnapshot);
  };
  return { createWorkspace: accountCalls(deps as unknown as CallsDeps).createWorkspace, ids, enter };
}

const made = (): Response => Response.json({ workspace: { id: "w", slug: "harbour", name: "Harbour" }, general: "g" });

it("a workspace keeps its id until an answer comes, and another name or the next one has another", async () => {
  const { createWorkspace, ids } = calls((asked) => {
    if (asked < 3) throw new Error("reset");
    return made();
  });
  for (const name of ["Harbour", "Harbour", "Harbour", "Harbour", "Pier"]) await createWorkspace({ name });
  expect(ids).toEqual(["made-0", "made-0", "made-0", "made-3", "made-4"]);
});

it("another person who asks for the same name asks for a workspace of their own", async () => {
  const { createWorkspace, ids, enter } = calls(() => {
    throw new Error("reset");
  });
  for (const user of ["ana", "bo", "bo"]) {
    enter(user);
    await createWorkspace({ name: "Harbour" });
  }
  expect(ids).toEqual(["made-0", "made-1", "made-1"]);
});

/** An edge that makes an account once, and a device that hears of its session only while it may. */
function door() {
  const session = cell<SessionSnapshot>({ state: "nobody" });
  const known = new Set<string>();
  const here = { hears: true, as: null as string | null };
  const ports = {
    origin: "http://ship.example",
    timers: { set: () => 0, clear: () => undefined },
    newId: () => "id",
    fetch: async (_url: unknown, init: RequestInit) => {
      const { email } = JSON.parse(init.body as string) as { email: string };
      if (known.has(email)) return Response.json({ code: "invalid", detail: "It is taken." }, { status: 409 });
      known.add(email);
      here.as = email;
      return Response.json({ user: { id: "u", name: "Ana", email } });
    },
  };
  const refresh = async () => {
    if (!here.hears) return failed(failure("offline"));
    if (here.as === null) {
      session.set({ state: "nobody" });
      return failed(failure("unauthenticated"));
    }
    session.set({ state: "signed-in", person: { email: here.as }, workspaces: [] } as unknown as SessionSnapshot);
    return ok(undefined);
  };
  const { signUp } = accountCalls({
    ports,
    index: memoryIndex(),
    config: cell(null),
    session,
    store: () => null,
    refresh,
  } as unknown as CallsDeps);
  const enter = async (email = "ana@ship.example"): Promise<string> => {
    const entered = await signUp({ name: "Ana", email, password: "a long password" });
    return entered.ok ? "in" : entered.error.code;
  };
  return { here, enter };
}

it("an account that was made, after which something failed, is gone on with when it is asked for again", async () => {
  const { here, enter } = door();
  here.hears = false;
  expect([await enter(), await enter()]).toEqual(["offline", "offline"]);
  here.hears = true;
  // Once more, since only what follows failed, as joining by a link.
  expect([await enter(), await enter()]).toEqual(["in", "in"]);
  expect(await enter("bo@ship.example")).toBe("in");
});

it("not under the session of somebody else, nor when its own is over", async () => {
  for (const [as, said] of [
    ["mara@ship.example", "unauthenticated"],
    [null, "unauthenticated"],
  ] as const) {
    const { here, enter } = door();
    expect(await enter()).toBe("in");
    here.as = as;
    expect([await enter(), await enter()]).toEqual([said, "invalid"]);
  }
});

it.each([
  ["asked again while nobody is here", "offline", "nobody", 2],
  ["done where the answer is that nobody is", "unauthenticated", "nobody", 1],
  ["done where somebody is known", "offline", "signed-in", 1],
  ["asked again where their session is over", "offline", "signed-out", 2],
] as const)("who is here is asked at the start, and %s", async (_what, fault, state, askedCount) => {
  const session = cell({ state, person: { user: "u" } } as unknown as SessionSnapshot);
  const due: (() => void)[] = [];
  let asked = 0;
  const ports = {
    origin: "http://ship.example",
    indexedDB: null,
    random: () => 0,
    timers: { set: (run: () => void, ms: number) => ms < AUTH_TIMEOUT_MS && due.push(run), clear: () => undefined },
    fetch: async () => {
      asked += 1;
      if (fault === "offline") throw new TypeError("reset");
      return Response.json({ code: fault, detail: "no" }, { status: 401 });
    },
  };
  const deps = { ports, index: memoryIndex(), config: cell(null), session, refresh: () => loaded.me() };
  const loaded = accountCalls(deps as unknown as CallsDeps);
  expect(await loaded.me()).toMatchObject({ ok: false, error: { code: fault } });
  for (const run of due.splice(0)) run();
  expect(asked).toBe(askedCount);
});

it("whether anybody answers is known until the next answer, and nobody is unreached by choice", async () => {
  const answers = [
    async () => Promise.reject(new TypeError("reset")),
    async () => Response.json({ code: "unauthenticated", detail: "no" }, { status: 401 }),
    async () => Response.json({ code: "upstream_unavailable", detail: "no" }, { status: 503 }),
    async () => Response.json({ code: "rate_limited", detail: "no" }, { status: 429 }),
  ];
  const timers = { set: () => 0, clear: () => undefined };
  const ports = { origin: "http://ship.example", indexedDB: null, random: () => 0, timers };
  const session = cell<SessionSnapshot>({ state: "nobody" });
  const deps = (fetch: unknown) =>
    ({ ports: { ...ports, fetch }, index: memoryIndex(), config: cell(null), session }) as unknown as CallsDeps;
  const loaded = accountCalls(deps(() => answers.shift()!()));
  const unreached = await loaded.unreached();
  const said: boolean[] = [];
  while (answers.length > 0) {
    await loaded.me();
    said.push(unreached.snapshot());
  }
  expect(said).toEqual([true, false, true, false]);

  const byChoice = accountCalls(deps(() => Promise.reject(new TypeError(WORKING_OFFLINE))));
  expect(await byChoice.me()).toMatchObject({ ok: false, error: { code: "offline" } });
  expect((await byChoice.unreached()).snapshot()).toBe(false);
});

it("who started without a network, and is signed out since, was reached for that", async () => {
  const timers = { set: () => 0, clear: () => undefined };
  const fetch = async () => Promise.reject(new TypeError("reset"));
  const ports = { origin: "http://ship.example", indexedDB: null, random: () => 0, timers, fetch };
  const session = cell({ state: "signed-in", person: { user: "u" }, workspaces: [] } as unknown as SessionSnapshot);
  const deps = { ports, index: memoryIndex(), config: cell(null), session } as unknown as CallsDeps;
  const loaded = accountCalls(deps);
  await loaded.me();
  const unreached = await loaded.unreached();
  expect(unreached.snapshot()).toBe(true);
  session.set({ state: "nobody" });
  expect(unreached.snapshot()).toBe(false);
  // And then it is as the next answer says.
  await loaded.me();
  session.set({ state: "nobody" });
  expect(unreached.snapshot()).toBe(true);
});

it("a browser that keeps nothing says so to who would keep what waits, and ends no session", async () => {
  const asked: unknown[] = [];
  const session = cell({ state: "signed-in", person: { user: "u" }, workspaces: [] } as unknown as SessionSnapshot);
  const ports = { timers: { set: () => 0, clear: () => undefined }, fetch: async (url: unknown) => asked.push(url) };
  const deps = { ports, config: cell(null), session, index: memoryIndex(), store: () => null };
  const { signOut } = accountCalls(deps as unknown as CallsDeps);
  const left = await signOut("keep");
  expect(left).toMatchObject({ ok: false, error: { detail: expect.stringContaining("keeps nothing") } });
  expect(asked).toEqual([]);
  expect(session.snapshot().state).toBe("signed-in");
});

it("[OP11] what a sign-out let go of and couldn't take off a disk that fails is in the copy of it, too", async () => {
  const factory = new IDBFactory();
  const store = await openStore(factory, personDatabase(OWN_ISSUER, "olga"), quiet, () => undefined);
  await store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
    for (const { place: _, version: __, ...op } of outboxOf(post("Not delivered"))) await appendOp(tx, op);
  });
  store.close();
  const ports = { indexedDB: factory, now: () => 1, timers: { set: () => 0, clear: () => undefined } };
  const { exportUnsent } = accountCalls({
    ports: { ...ports, report: () => undefined, fetch: () => new Promise(() => undefined) },
    index: { ...memoryIndex(), kind: "disk", write: async () => [], read: async () => [] },
    config: cell(null),
    session: cell({ state: "signed-in", person: { user: "olga", email: "olga@ship.example" }, workspaces: [] }),
    store: () => null,
  } as unknown as CallsDeps);
  const lines = (await exportUnsent()).map((line) => JSON.parse(line) as object);
  expect(lines).toMatchObject([{ kind: "causeway-device", person: "olga@ship.example" }, { kind: "op" }]);
  expect(JSON.stringify(lines)).toContain("Not delivered");
});
