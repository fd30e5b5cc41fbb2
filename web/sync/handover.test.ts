import { describe, expect, it } from "vitest";
import type { OutboxRecord } from "../store/schema.ts";
import { memoryBackend } from "../store/memory.ts";
import { appendOp, removeOp } from "../store/outbox.ts";
import { refuseOp } from "../store/outbox-course.ts";
import { createStore, type Store } from "../store/store.ts";
import { signal } from "../store/source.ts";
import { watchForHandover } from "./handover.ts";
import type { PageEvent } from "./ports.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

function rig() {
  const store = createStore(memoryBackend(), quiet);
  const tab = signal();
  const pages = new Set<(event: PageEvent) => void>();
  const state = { isLive: true, isVisible: true, now: 1_000, asked: 0 };
  const stop = watchForHandover({
    store,
    changes: tab,
    isLive: () => state.isLive,
    ports: {
      now: () => state.now,
      report: (error) => {
        throw error;
      },
      deliverLater: () => (state.asked += 1),
      page: {
        isVisible: () => state.isVisible,
        listen: (listener) => {
          pages.add(listener);
          return () => pages.delete(listener);
        },
      },
    },
  });
  const happen = (event: PageEvent): void => {
    for (const listener of pages) listener(event);
  };
  return { store, tab, state, stop, happen };
}

function write(store: Store, id: string): Promise<OutboxRecord> {
  const op = { id, room: "channel:w_c", at: 1, op: "message.delete", args: { id: "m" } };
  return store.write({ tables: ["outbox"], durability: "strict" }, (tx) =>
    appendOp(tx, op as unknown as Parameters<typeof appendOp>[1]),
  );
}

describe("what waits is handed over", () => {
  it("[OP8] when it is written without a live link, and not while one is there", async () => {
    const { store, tab, state } = rig();
    await write(store, "a");
    expect(state.asked).toBe(0);
    state.isLive = false;
    tab.tell();
    expect(state.asked).toBe(1);
    await write(store, "b");
    expect(state.asked).toBe(1);
    state.now += 61_000;
    tab.tell();
    expect(state.asked).toBe(2);
  });

  it("by a clock that was set back meanwhile no later", async () => {
    const { store, tab, state } = rig();
    state.isLive = false;
    await write(store, "a");
    expect(state.asked).toBe(1);
    state.now -= 3_600_000;
    tab.tell();
    expect(state.asked).toBe(2);
    state.now += 30_000;
    tab.tell();
    expect(state.asked).toBe(2);
  });

  it("[OP8] whenever the tab goes out of sight or leaves, and something waits", async () => {
    const { store, state, happen } = rig();
    happen("hidden");
    expect(state.asked).toBe(0);
    const op = await write(store, "a");
    happen("hidden");
    happen("pagehide");
    expect(state.asked).toBe(2);
    await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => removeOp(tx, op));
    happen("pagehide");
    expect(state.asked).toBe(2);
  });

  it("but not what waits for the person", async () => {
    const { store, state, happen } = rig();
    const op = await write(store, "a");
    await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) =>
      refuseOp(tx, op, { code: "archived", detail: "" }),
    );
    happen("pagehide");
    expect(state.asked).toBe(0);
  });

  it("of an earlier run as well, and no more once it is stopped", async () => {
    const { store, state, stop, happen } = rig();
    await write(store, "a");
    const { asked } = state;
    stop();
    happen("pagehide");
    expect(state.asked).toBe(asked);
  });
});
