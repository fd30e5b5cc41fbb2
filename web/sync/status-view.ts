// The truth about the network and the disk, for the status page; loaded with it.
import { parseRoomName } from "#protocol/room-name.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { isCounted } from "../store/outbox-view.ts";
import type { Replica } from "../store/replica.ts";
import type { RoomStatus, StatusSnapshot } from "../store/snapshots.ts";
import { cell, derive, together } from "../store/source.ts";
import type { View } from "../store/view.ts";
import { isComplete } from "../store/rooms.ts";
import type { WorkspaceClientDeps } from "./workspace-client.ts";

export function statusView(
  { store, ports, tab, ref, config }: WorkspaceClientDeps,
  replica: Replica,
): View<StatusSnapshot> {
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
