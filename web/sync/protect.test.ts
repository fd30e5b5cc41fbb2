// When the browser is asked to protect the storage: with the first thing that waits here, and never before.
import { expect, test } from "vitest";
import type { OutboxRecord } from "../store/schema.ts";
import type { Commit } from "../store/store.ts";
import { protectWhenQueued } from "./protect.ts";

const posted = (op: string): Commit => [
  { table: "outbox", put: { op, args: {}, version: 1 } as unknown as OutboxRecord },
];

interface Scene {
  readonly isLive?: boolean;
  readonly isVisible?: boolean;
  readonly isPersistent?: boolean;
}

function scene({ isLive = false, isVisible = true, isPersistent = false }: Scene = {}) {
  const listeners = new Set<(commit: Commit) => void>();
  let asked = 0;
  protectWhenQueued({
    store: {
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    isLive: () => isLive,
    ports: {
      page: { isVisible: () => isVisible, listen: () => () => undefined },
      report: (error) => {
        throw error;
      },
      storage: {
        estimate: () => Promise.resolve({}),
        persisted: () => Promise.resolve(isPersistent),
        persist: () => {
          asked += 1;
          return Promise.resolve(true);
        },
      },
    },
  });
  return async (...commits: readonly Commit[]): Promise<number> => {
    for (const commit of commits) for (const listener of listeners) listener(commit);
    await new Promise((resolve) => setImmediate(resolve));
    return asked;
  };
}

test.each<readonly [string, Scene, readonly Commit[], number]>([
  ["with nothing queued", {}, [[{ table: "drafts", remove: ["w", "c", ""] }]], 0],
  ["with a read position, which nobody would miss", {}, [posted("read.set")], 0],
  ["with a message queued", {}, [posted("message.post")], 1],
  ["with a channel made", {}, [posted("channel.create")], 1],
  ["with a second thing queued", {}, [posted("message.post"), posted("message.react")], 1],
  ["while live", { isLive: true }, [posted("message.post")], 0],
  ["in a tab that nobody sees", { isVisible: false }, [posted("message.post")], 0],
  ["where it is protected already", { isPersistent: true }, [posted("message.post")], 0],
])("%s", async (_, given, commits, asked) => {
  expect(await scene(given)(...commits)).toBe(asked);
});
