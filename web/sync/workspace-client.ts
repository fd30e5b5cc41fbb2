// One workspace as the interface holds it: views over its replica, and its commands.
import type { Config } from "#protocol/http.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { channelView, channelsView } from "../store/channels-view.ts";
import { laterTimeline } from "../store/later-timeline.ts";
import { isCounted, outboxView } from "../store/outbox-view.ts";
import { draftText, openReplica, type Replica } from "../store/replica.ts";
import { channelRoom, isComplete } from "../store/rooms.ts";
import type { Person, RoomStatus, StatusSnapshot, WorkspaceRef } from "../store/snapshots.ts";
import { cell, derive, together } from "../store/source.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import { workspaceView } from "../store/workspace-view.ts";
import type { WorkspaceClient } from "./client.ts";
import { createCommands } from "./commands.ts";
import type { Ports } from "./ports.ts";
import type { Place } from "./room-pages.ts";
import { createWriter } from "./writer.ts";
import type { Tab } from "./tab.ts";

export interface WorkspaceClientDeps {
  readonly store: Store;
  readonly ports: Ports;
  readonly tab: Tab;
  readonly person: Person;
  /** As the edge last named it. */
  readonly ref: () => WorkspaceRef;
  readonly config: () => Config;
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
  const liveness = tab.liveness(workspace);
  const writer = createWriter(store, ports);
  const { flush, ...commands } = createCommands({ store, replica, ports, tab, writer, config: deps.config });
  const channels = new Map<ChannelId, ReturnType<typeof channelView>>();
  const stopPage = ports.page.listen((event) => {
    if (event === "hidden" || event === "leave" || event === "freeze") void flush().catch(ports.report);
  });
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
        return openTimeline({ store, replica, liveness, ref, now: ports.now, fetchHistory }, id);
      }),
    outbox: outboxView(replica, liveness),
    draft: (channel, root) =>
      derive(replica, replica.version, (before) =>
        replica.isLoaded()
          ? { state: "ready" as const, value: draftText(replica, channel, root) }
          : (before ?? { state: "loading" as const }),
      ),
    connection: { subscribe: liveness.subscribe, snapshot: liveness.connection },
    status: statusView(deps, replica),
    commands,
  };
  tab.onReturned(() => void replica.reload().catch(ports.report));
  return {
    client,
    replica,
    flush,
    close: () => {
      stopPage();
      replica.close();
    },
  };
}

function statusView({ store, ports, tab, ref, config }: WorkspaceClientDeps, replica: Replica): View<StatusSnapshot> {
  const liveness = tab.liveness(ref().id);
  const storage = cell<StatusSnapshot["storage"]>({
    usedBytes: null,
    quotaBytes: null,
    isPersistent: null,
    kind: store.kind,
  });
  const measure = async (): Promise<void> => {
    if (ports.storage === null) return;
    const [{ usage = null, quota = null }, isPersistent] = await Promise.all([
      ports.storage.estimate(),
      ports.storage.persisted(),
    ]);
    storage.set({ usedBytes: usage, quotaBytes: quota, isPersistent, kind: store.kind });
  };
  const view = derive(
    together(replica, liveness, storage),
    () => ({}),
    (): StatusSnapshot => {
      const status = tab.statusOf(ref().id);
      const ops = replica.outbox().filter(isCounted);
      const refused = ops.filter(({ refusal }) => refusal !== undefined).length;
      return {
        connection: liveness.connection(),
        rooms: (status?.rooms ?? []).map(({ room, link, detail }) => roomStatus(replica, room, link, detail)),
        outbox: { waiting: ops.length - refused, refused },
        storage: storage.snapshot(),
        isLeader: tab.isLeading(),
        liveAt: status?.liveAt ?? null,
        build: config().build,
        protocol: PROTOCOL_VERSION,
      };
    },
  );
  return {
    snapshot: view.snapshot,
    subscribe: (listener) => {
      void measure().catch(ports.report);
      return view.subscribe(listener);
    },
  };
}

function roomStatus(replica: Replica, name: RoomStatus["name"], link: RoomStatus["link"], detail?: string): RoomStatus {
  const ref = parseRoomName(name);
  const channel = ref?.party === "channel" ? replica.get("channel", ref.channel) : undefined;
  const label = channel !== undefined && !channel.deleted ? `#${channel.name}` : (ref?.party ?? name);
  const room = [...replica.rooms.values()].find((record) => record.name === name);
  return {
    name,
    label,
    link,
    cursor: room?.cursor ?? null,
    head: room?.head ?? null,
    heldMessages: room?.heldCount ?? 0,
    isComplete: room !== undefined && (ref?.party === "workspace" ? room.cursor !== null : isComplete(room)),
    ...(detail === undefined ? {} : { detail }),
  };
}
