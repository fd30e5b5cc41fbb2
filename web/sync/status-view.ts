// The truth about the network and the disk, for the status page; loaded with it.
import { parseRoomName } from "#protocol/room-name.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { isAlike } from "#protocol/alike.ts";
import { watchOfflineChoice } from "../store/offline-choice.ts";
import { EVENTS_KEPT } from "../store/events.ts";
import { isWhole } from "../store/keep.ts";
import type { Replica } from "../store/replica.ts";
import type { OutboxSnapshot, RoomStatus, StatusSnapshot } from "../store/snapshots.ts";
import type { EventRecord } from "../store/schema.ts";
import { cell, derive, together, type Source } from "../store/source.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import { wholeOutbox } from "./whole-outbox.ts";
import type { WorkspaceClientDeps } from "./workspace-client.ts";

export function statusView(deps: WorkspaceClientDeps, replica: Replica): View<StatusSnapshot> {
  const { store, ports, tab, ref, config } = deps;
  const liveness = tab.liveness(ref().id);
  const storage = cell<StatusSnapshot["storage"]>({
    usedBytes: null,
    quotaBytes: null,
    isPersistent: null,
    kind: store.kind,
  });
  const log = readLog(store);
  const choice = cell<boolean | null>(null);
  // The numbers lead to the Outbox, and are its own.
  const outbox = wholeOutbox(deps, replica);
  const measure = async (): Promise<void> => {
    if (ports.storage === null) return;
    const [{ usage = null, quota = null }, isPersistent] = await Promise.all([
      ports.storage.estimate(),
      ports.storage.persisted(),
    ]);
    storage.set({ usedBytes: usage, quotaBytes: quota, isPersistent, kind: store.kind });
  };
  const view = derive(
    together(replica, liveness, outbox, storage, log, choice),
    () => ({}),
    (): StatusSnapshot => {
      const status = tab.statusOf(ref().id);
      const counted = outbox.snapshot();
      const isOfflineChosen = choice.snapshot();
      return {
        connection: liveness.connection(),
        rooms: (status?.rooms ?? []).map(({ room, link, detail }) => roomStatus(replica, room, link, detail)),
        outbox: counted.state === "ready" ? countsOf(counted.value) : null,
        storage: storage.snapshot(),
        isLeader: tab.isLeading(),
        ...(isOfflineChosen === null ? {} : { isOfflineChosen }),
        liveAt: liveness.liveAt(),
        events: log.events(),
        build: config()?.build ?? "",
        protocol: PROTOCOL_VERSION,
      };
    },
  );
  return {
    snapshot: view.snapshot,
    subscribe: (listener) => {
      void measure().catch(ports.report);
      const stopLog = log.follow(ports.report);
      const chosen = watchOfflineChoice(store, () => choice.set(chosen.now()));
      const stop = view.subscribe(listener);
      return () => {
        stop();
        stopLog();
        chosen.stop();
      };
    },
  };
}

function countsOf({ waitingCount, refusedCount, draftCount, isWhole }: OutboxSnapshot): StatusSnapshot["outbox"] {
  if (!isWhole && waitingCount + refusedCount === 0) return null;
  return { waiting: waitingCount, refused: refusedCount - draftCount, drafts: draftCount };
}

interface Log extends Source {
  readonly events: () => readonly EventRecord[];
  /** Read anew, and then kept by commits while somebody looks. */
  readonly follow: (report: (error: unknown) => void) => () => void;
}

function readLog(store: Store): Log {
  const events = cell<readonly EventRecord[]>([]);
  return {
    subscribe: events.subscribe,
    events: events.snapshot,
    follow: (report) => {
      /** Heard while all of it is read anew. */
      let heard: EventRecord[] | null = null;
      const show = (lines: readonly EventRecord[]): void => {
        const known = new Map(lines.map((event) => [event.place, event]));
        events.set([...known.values()].toSorted((one, other) => one.place - other.place).slice(-EVENTS_KEPT));
      };
      const take = (put: readonly EventRecord[]): void => show([...events.snapshot(), ...put]);
      const read = (): Promise<readonly EventRecord[]> => store.read(["events"], (tx) => tx.all("events"));
      const readAnew = async (put: EventRecord[]): Promise<void> => {
        heard = put;
        const lines = await read().catch((error: unknown) => {
          report(error);
          return [];
        });
        heard = null;
        show([...lines, ...put]);
      };
      const stop = store.listen((commit) => {
        const put = commit.flatMap((change) => (change.table === "events" && "put" in change ? [change.put] : []));
        const [first] = put;
        if (first === undefined) return;
        if (heard !== null) {
          heard.push(...put);
          return;
        }
        const shown = events.snapshot();
        const isBehind = first.place <= (shown.at(-1)?.place ?? 0);
        // What was read before another tab told of it is the same line. Another one was told late, or they are numbered from the
        // beginning again: the site's data was cleared, and the lines that are shown are gone.
        if (isBehind && !shown.some((line) => isAlike(line, first))) void readAnew(put);
        else take(put);
      });
      read().then(take, report);
      return stop;
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
    isComplete: ref?.party === "channel" ? isWhole(replica, ref.channel) : room !== undefined && room.cursor !== null,
    ...(detail === undefined ? {} : { detail }),
  };
}
