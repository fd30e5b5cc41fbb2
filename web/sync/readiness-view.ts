// What of a workspace is on this device, as a view; loaded with the page that shows it.
import { isJoined, standingRoom } from "../store/channels-view.ts";
import { headSeqOf, KEEP_ALL, readKeep, type Keep } from "../store/keep.ts";
import { countReadiness, fillingBy, type ReadinessSnapshot } from "../store/readiness.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom, emptyRoom } from "../store/rooms.ts";
import type { RoomRecord } from "../store/schema.ts";
import { bytesHeld } from "../store/sizes.ts";
import { cell, derive, together } from "../store/source.ts";
import type { Loaded, View } from "../store/view.ts";
import type { WorkspaceClientDeps } from "./workspace-client.ts";

/** While somebody looks, the browser is asked again so often. */
const MEASURE_EVERY_MS = 5_000;

export function readinessView(
  { store, ports, tab, ref }: WorkspaceClientDeps,
  replica: Replica,
): View<Loaded<ReadinessSnapshot>> {
  const workspace = ref().id;
  const liveness = tab.liveness(workspace);
  const keep = cell<Keep>(KEEP_ALL);
  const storage = cell<ReadinessSnapshot["storage"]>({
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
  const readSettings = async (): Promise<void> => keep.set(await store.read(["meta"], readKeep));

  const view = derive(
    together(replica, liveness, keep, storage),
    () => ({}),
    (before): Loaded<ReadinessSnapshot> => {
      if (!replica.isLoaded()) return before ?? { state: "loading" };
      const channels = replica
        .list("channel")
        .filter((channel) => channel.deleted !== true)
        .filter(({ id }) => isJoined(replica, id) && replica.confirmed("channel", id) !== undefined)
        .map((channel) => {
          const name = channelRoom(workspace, channel.id);
          return {
            id: channel.id,
            name: channel.name,
            room: standingRoom(replica, channel.id) ?? past(replica.rooms.get(name) ?? emptyRoom(name)),
            headSeq: headSeqOf(replica, channel.id),
          };
        })
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
      const fill = tab.statusOf(workspace)?.fill ?? ({ state: "filling" } as const);
      const filling = fillingBy(fill, liveness.connection());
      const counted = countReadiness(channels, keep.snapshot(), ports.now());
      return { state: "ready", value: { ...counted, filling, storage: storage.snapshot() } };
    },
  );
  return {
    snapshot: view.snapshot,
    subscribe: (listener) => {
      const refresh = (): void => void measure().catch(ports.report);
      const again = (): void => {
        refresh();
        timer = ports.timers.set(again, MEASURE_EVERY_MS);
      };
      let timer: unknown = null;
      again();
      void readSettings().catch(ports.report);
      const stopKeep = store.listen((commit) => {
        for (const change of commit) {
          if ("put" in change && change.table === "meta" && change.put.key === "keep") keep.set(change.put.keep);
        }
      });
      const stop = view.subscribe(listener);
      return () => {
        ports.timers.clear(timer);
        stopKeep();
        stop();
      };
    },
  };
}

/** What is held of a history that ended takes room still, and is none of the channel's. */
function past(room: RoomRecord): RoomRecord {
  return { ...emptyRoom(room.name), heldCount: room.heldCount, heldBytes: bytesHeld(room) };
}
