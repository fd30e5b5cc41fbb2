// The account's calls where no answer comes: what may have been done all the same isn't done twice.
import { expect, it } from "vitest";
import { cell } from "../store/source.ts";
import type { SessionSnapshot } from "../store/snapshots.ts";
import { accountCalls, type CallsDeps } from "./account-calls.ts";

function calls(answer: (asked: number) => Response): {
  readonly createWorkspace: ReturnType<typeof accountCalls>["createWorkspace"];
  readonly ids: unknown[];
} {
  const ids: unknown[] = [];
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
    session: cell<SessionSnapshot>({ state: "nobody" }),
    refresh: async () => ({ ok: true, value: undefined }),
  };
  return { createWorkspace: accountCalls(deps as unknown as CallsDeps).createWorkspace, ids };
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
