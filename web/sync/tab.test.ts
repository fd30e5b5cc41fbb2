// What a tab makes of what the page and the other tabs tell it.
import { expect, test, vi } from "vitest";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import { createStore, type Bus } from "../store/store.ts";
import type { PageEvent, Ports } from "./ports.ts";
import type { WorkspaceStatus } from "./status.ts";
import { openTab } from "./tab.ts";
import type { TabMessage } from "./tab-messages.ts";

test.each<PageEvent>(["freeze", "leave"])(
  "a tab that stands still (%s) begins to read nothing, which would hold up what others store, until it goes on",
  async (event) => {
    let happen: (event: PageEvent) => void = () => undefined;
    let hear: (message: TabMessage) => void = () => undefined;
    const bus: Bus = {
      send: () => undefined,
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
      page: {
        isVisible: () => false,
        listen: (listener: (event: PageEvent) => void) => {
          happen = listener;
          return () => undefined;
        },
      },
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
