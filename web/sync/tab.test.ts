// What a tab makes of what the page and the other tabs tell it.
import { expect, test, vi } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import { createStore, type Bus } from "../store/store.ts";
import type { LeadHere } from "./lead-here.ts";
import type { LeaderEvent } from "./leader.ts";
import type { Leading } from "./leading.ts";
import type { PageEvent, Ports } from "./ports.ts";
import type { WorkspaceStatus } from "./status.ts";
import { openTab, type Tab } from "./tab.ts";
import type { TabMessage } from "./tab-messages.ts";

interface Rig {
  readonly tab: Tab;
  /** What other tabs say. */
  readonly hear: (message: TabMessage) => void;
  readonly happen: (event: PageEvent) => void;
  readonly said: TabMessage[];
}

/** A tab that doesn't lead, and knows of none that does. */
function following(more: Partial<Ports> = {}): Rig {
  let happen: (event: PageEvent) => void = () => undefined;
  let hear: (message: TabMessage) => void = () => undefined;
  const said: TabMessage[] = [];
  const bus: Bus = {
    send: (message) => said.push(message as TabMessage),
    listen: (listener) => {
      hear = listener;
      return () => undefined;
    },
    close: () => undefined,
  };
  const ports = {
    newId: () => "tab",
    report: (error: unknown) => expect(error).toBeNull(),
    // Nothing leads here.
    firstScreen: new Promise(() => undefined),
    timers: { set: () => null, clear: () => undefined },
    page: {
      isVisible: () => false,
      listen: (listener: (event: PageEvent) => void) => {
        happen = listener;
        return () => undefined;
      },
    },
    ...more,
  } as unknown as Ports;
  const tab = openTab({
    ports,
    bus,
    store: createStore(memoryBackend(), bus),
    name: "causeway/test/me",
    me: "me" as UserId,
    config: () => expect.fail("nothing leads here"),
    care: () => expect.fail("nothing leads here"),
  });
  return { tab, hear: (message) => hear(message), happen: (event) => happen(event), said };
}

test.each<PageEvent>(["freeze", "pagehide"])(
  "a tab that stands still (%s) begins to read nothing, which would hold up what others store, until it goes on",
  (event) => {
    const { tab, hear, happen } = following();
    const missed = vi.fn<() => void>();
    tab.onMissed(missed);
    const status = { workspace: "w" as WorkspaceId, connection: { state: "live" } } as WorkspaceStatus;
    hear({ type: "status", status });
    hear({ type: "who" });
    expect(missed).toHaveBeenCalledTimes(1);
    happen(event);
    hear({ type: "who" });
    expect(missed).toHaveBeenCalledTimes(1);
    happen("resume");
    expect(missed).toHaveBeenCalledTimes(2);
    hear({ type: "who" });
    expect(missed).toHaveBeenCalledTimes(3);
  },
);

test.each<PageEvent>(["freeze", "pagehide"])(
  "a tab that took its leave (%s) says no more what it looks at, until it goes on: it would pass for one that is there",
  (event) => {
    const { tab, hear, happen, said } = following();
    const looks = (): number => said.filter(({ type }) => type === "look").length;
    tab.look("w" as WorkspaceId, "c" as ChannelId);
    happen(event);
    const before = looks();
    expect(said.at(-1)).toEqual({ type: "bye", tab: "tab" });
    // As browsers do with a page that is closed or left.
    happen("hidden");
    hear({ type: "who" });
    expect(looks()).toBe(before);
    happen("resume");
    expect(looks()).toBe(before + 1);
  },
);

/** The code that leads fails to be fetched while the line is bad; `elapse` lets the pause go by. */
function badLine() {
  const [due, dispatched]: [(() => void)[], LeaderEvent[]] = [[], []];
  const line = { isBad: true, fetches: 0, closed: 0 };
  vi.resetModules();
  vi.doMock("./lead-here.ts", () => {
    line.fetches += 1;
    if (line.isBad) throw new TypeError("bad line");
    return {
      leadHere: (): Leading => ({
        isLeading: () => false,
        paused: () => null,
        dispatch: (event) => dispatched.push(event),
        close: async () => void (line.closed += 1),
      }),
    };
  });
  const ports: Partial<Ports> = {
    firstScreen: Promise.resolve(),
    timers: { set: (run) => due.push(run), clear: () => undefined },
  };
  const elapse = (): void => {
    for (const run of due.splice(0)) run();
  };
  return { ports, line, due, dispatched, elapse };
}

test("code that leads and can't be had is asked for until it is, and told then what happened meanwhile", async () => {
  const { ports, line, due, dispatched, elapse } = badLine();
  const { tab, happen } = following(ports);
  tab.used();
  await expect.poll(() => due.length).toBe(1);
  happen("freeze");
  elapse();
  await expect.poll(() => due.length).toBe(1);
  happen("resume");
  line.isBad = false;
  elapse();
  await expect.poll(() => dispatched.map(({ type }) => type)).toEqual(["looked", "frozen", "returned"]);
  tab.lost();
  await expect.poll(() => dispatched.map(({ type }) => type)).toEqual(["looked", "frozen", "returned", "lost"]);
  expect([due.length, line.fetches]).toEqual([0, 3]);
  await tab.close();
  expect(line.closed).toBe(1);
});

test("a tab that is closed meanwhile asks no more, and nobody waits for it", async () => {
  const { ports, line, due, dispatched, elapse } = badLine();
  const { tab } = following(ports);
  tab.used();
  await expect.poll(() => due.length).toBe(1);
  await tab.close();
  line.isBad = false;
  elapse();
  await vi.dynamicImportSettled();
  expect([due.length, line.fetches, dispatched]).toEqual([0, 1, []]);
});

test("what a leader that hangs said of the line is past also when this tab, held up by it, has to follow another", async () => {
  let paused: ConnectionSnapshot | null = null;
  let changed = (): void => undefined;
  vi.resetModules();
  vi.doMock("./lead-here.ts", () => ({
    leadHere: (deps: { readonly changed: () => void }): LeadHere => {
      changed = deps.changed;
      const asks = { dropped: () => undefined };
      const does = { dispatch: () => undefined, close: async () => undefined };
      return { isLeading: () => false, paused: () => paused, ...does, asks } as unknown as LeadHere;
    },
  }));
  const { tab, hear } = following({ firstScreen: Promise.resolve() });
  const workspace = "w" as WorkspaceId;
  const said = (): string => tab.liveness(workspace).connection().state;
  const missed = vi.fn<() => void>();
  tab.onMissed(missed);
  const status = { workspace, connection: { state: "live" }, liveAt: 1_234 } as WorkspaceStatus;
  hear({ type: "status", status });
  await vi.dynamicImportSettled();
  expect(said()).toBe("live");
  paused = { state: "connecting" };
  changed();
  expect(said()).toBe("connecting");
  paused = null;
  changed();
  expect([said(), tab.statusOf(workspace)?.flowing]).toEqual(["connecting", []]);
  expect(tab.liveness(workspace).liveAt()).toBe(1_234);
  // It heard somebody lead, all the same: what that one stored last it may have missed.
  hear({ type: "who" });
  expect(missed).toHaveBeenCalledTimes(1);
  hear({ type: "status", status });
  expect(said()).toBe("live");
  await tab.close();
});
