// The account's calls where no answer comes: what may have been done all the same isn't done twice.
import { expect, it } from "vitest";
import { cell } from "../store/source.ts";
import type { SessionSnapshot } from "../store/snapshots.ts";
import { accountCalls, type CallsDeps } from "./account-calls.ts";

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
    api: () => "/api",
    session,
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
