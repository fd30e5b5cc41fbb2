// Who is here, where several questions are under way at once.
import { expect, it } from "vitest";
import { memoryIndex } from "../store/memory-index.ts";
import { openAccount, type AccountDeps } from "./account.ts";

const ANA = { user: { id: "u", name: "Ana", email: "ana@ship.example" }, workspaces: [] };

it("an answer to who is here, asked while nobody was known, doesn't bring back who signed out since", async () => {
  let isHere = false;
  const held: (() => void)[] = [];
  const answers: Readonly<Record<string, () => Promise<Response>>> = {
    "/api/auth/sign-in/email": async () => {
      isHere = true;
      return Response.json({ user: ANA.user });
    },
    "/api/auth/sign-out": async () => {
      isHere = false;
      return Response.json({ success: true });
    },
    "/api/me": async () => {
      const answer = isHere
        ? Response.json(ANA)
        : Response.json({ code: "unauthenticated", detail: "no" }, { status: 401 });
      // The first of them hangs.
      if (held.length === 0) await new Promise<void>((resolve) => held.push(resolve));
      return answer;
    },
  };
  const ports = {
    origin: "http://ship.example",
    random: () => 0,
    newId: () => "id",
    now: () => 0,
    report: (error: unknown) => expect(error).toBeUndefined(),
    timers: { set: () => 0, clear: () => undefined },
    indexedDB: null,
    locks: null,
    page: { isVisible: () => true, listen: () => () => undefined },
    fetch: async (url: string) => {
      const answer = answers[new URL(url).pathname];
      if (answer === undefined) throw new TypeError("none");
      return answer();
    },
  };
  const nothing = async (): Promise<void> => undefined;
  const deps = {
    ports,
    fetch: ports.fetch,
    index: memoryIndex(),
    bus: { send: () => undefined, listen: () => () => undefined, close: () => undefined },
    initial: { last: null, config: null },
    store: () => null,
    enter: nothing,
    leave: nothing,
    flush: nothing,
    resumed: () => undefined,
  };
  const { account } = openAccount(deps as unknown as AccountDeps);
  const signing = account.signIn({ email: ANA.user.email, password: "a long password" });
  await expect.poll(() => held.length).toBe(1);
  await account.refresh();
  expect(account.session.snapshot()).toMatchObject({ state: "signed-in" });
  expect(await account.signOut("discard")).toMatchObject({ ok: true });
  for (const answer of held) answer();
  await signing;
  expect(account.session.snapshot()).toEqual({ state: "nobody" });
});
