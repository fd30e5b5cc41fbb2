// One workspace as the interface holds it: views over its replica, and its commands.
import type { Config } from "#protocol/http.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { channelView, channelsView } from "../store/channels-view.ts";
import { loadedOnce } from "../store/loaded-once.ts";
import { laterTimeline } from "../store/later-timeline.ts";
import { laterView, LOADING } from "../store/later-view.ts";
import type { ReadinessSnapshot } from "../store/readiness.ts";
import { draftText, openReplica, type Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { OutboxSnapshot, Person, StatusSnapshot, WorkspaceRef } from "../store/snapshots.ts";
import type { PinsSnapshot, TimelineMessage } from "../store/timeline-snapshots.ts";
import { derive } from "../store/source.ts";
import type { Store } from "../store/store.ts";
import type { Loaded, View } from "../store/view.ts";
import { workspaceView } from "../store/workspace-view.ts";
import type { WorkspaceClient } from "./client.ts";
import { createCommands } from "./commands.ts";
import type { Ports } from "./ports.ts";
import type { Place } from "./room-pages.ts";
import type { OpenedSearch } from "./search/open-search.ts";
import type { StorageCare } from "./storage-care.ts";
import { createWriter } from "./writer.ts";
import type { Tab } from "./tab.ts";

export interface WorkspaceClientDeps {
  readonly store: Store;
  readonly ports: Ports;
  readonly tab: Tab;
  readonly person: Person;
  /** As the edge last named it. */
  readonly ref: () => WorkspaceRef;
  /** All that the person is in, as the edge last named them. */
  readonly workspaces: () => readonly WorkspaceRef[];
  readonly config: () => Config | null;
  readonly care: () => Promise<StorageCare>;
}

export interface OpenWorkspace {
  readonly client: WorkspaceClient;
  readonly replica: Replica;
  readonly flush: () => Promise<void>;
  readonly close: () => void;
}

export function openWorkspace(deps: WorkspaceClientDeps): OpenWorkspace {
  const { store, ports, tab, ref, person } = deps;
  const workspace = ref().id;
  const replica = openReplica(store, workspace, person.user);
  // Else a directory that can't be read would be waited for without a word.
  replica.loaded.catch(ports.report);
  const liveness = tab.liveness(workspace);
  const writer = createWriter(store, ports, deps.care);
  const { flush, ...commands } = createCommands({ store, replica, ports, tab, writer, config: deps.config });
  const channels = new Map<ChannelId, ReturnType<typeof channelView>>();
  const stopPage = ports.page.listen((event) => {
    if (event === "hidden" || event === "pagehide" || event === "freeze") void flush().catch(ports.report);
  });
  const rowsDeps = { store, replica, liveness, ref, now: ports.now, report: ports.report };
  let searched: OpenedSearch | null = null;
  let isClosed = false;
  const client: WorkspaceClient = {
    workspace: workspaceView(replica, ref, person),
    channels: channelsView(replica, liveness),
    channel: (id) => {
      const view = channels.get(id) ?? channelView(replica, liveness, ref, id);
      channels.set(id, view);
      return view;
    },
    presence: (id) => {
      const room = channelRoom(workspace, id);
      return { subscribe: tab.subscribe, snapshot: () => tab.presenceOf(room) };
    },
    timeline: (id) =>
      laterTimeline(async () => {
        const { openTimeline } = await import("../store/timeline.ts");
        const fetchHistory = (place: Place): Promise<boolean> => tab.fetchHistory(channelRoom(workspace, id), place);
        return openTimeline({ ...ports, store, replica, liveness, ref, fetchHistory }, id);
      }),
    pins: (id) =>
      laterView<Loaded<PinsSnapshot>>(LOADING, async () => {
        const { pinsView } = await import("../store/pins-view.ts");
        return pinsView(rowsDeps, id);
      }),
    message: (channel, id) =>
      laterView<Loaded<TimelineMessage | null>>(LOADING, async () => {
        const { messageView } = await import("../store/message-view.ts");
        return messageView(rowsDeps, channel, id);
      }),
    // Its count is no part of the first screen.
    outbox: laterView<Loaded<OutboxSnapshot>>(LOADING, async () => {
      await ports.firstScreen;
      return (await import("./whole-outbox.ts")).wholeOutbox(deps, replica);
    }),
    draft: (channel, root) =>
      derive(replica, replica.version, (before) =>
        replica.isLoaded()
          ? { state: "ready" as const, value: draftText(replica, channel, root) }
          : (before ?? { state: "loading" as const }),
      ),
    connection: { subscribe: liveness.subscribe, snapshot: liveness.connection },
    liveAt: { subscribe: liveness.subscribe, snapshot: liveness.liveAt },
    status: laterView(earlyStatus(deps), async () => (await import("./status-view.ts")).statusView(deps, replica)),
    search: loadedOnce(async () => {
      const { openSearch } = await import("./search/open-search.ts");
      searched = openSearch(deps, replica);
      if (isClosed) searched.close();
      return searched;
    }),
    readiness: laterView<Loaded<ReadinessSnapshot>>(LOADING, async () =>
      (await import("./readiness-view.ts")).readinessView(deps, replica),
    ),
    commands,
  };
  tab.onMissed(() => void replica.reload().catch(ports.report));
  return {
    client,
    replica,
    flush,
    close: () => {
      stopPage();
      isClosed = true;
      searched?.close();
      replica.close();
    },
  };
}

/** What the status page says before its view is here. */
function earlyStatus({ store, tab, ref, config }: WorkspaceClientDeps): View<StatusSnapshot> {
  const liveness = tab.liveness(ref().id);
  return derive(liveness, liveness.version, () => ({
    connection: liveness.connection(),
    rooms: [],
    outbox: null,
    storage: { usedBytes: null, quotaBytes: null, isPersistent: null, kind: store.kind },
    isLeader: tab.isLeading(),
    liveAt: null,
    events: [],
    build: config()?.build ?? "",
    protocol: PROTOCOL_VERSION,
  }));
}
