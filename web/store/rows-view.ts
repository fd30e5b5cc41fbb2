// A few of a channel's messages as rows, with what waits applied as in the timeline; read again whenever they may have
// changed.
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { channelRoom } from "./rooms.ts";
import { rowContext, type RowDeps } from "./row-context.ts";
import type { OutboxRecord } from "./schema.ts";
import { cell, type Source } from "./source.ts";
import type { Store } from "./store.ts";
import { readCommit } from "./timeline-commit.ts";
import { emptyCache, timelineRows } from "./timeline-rows.ts";
import type { TimelineMessage } from "./timeline-snapshots.ts";
import type { ReadTx } from "./tx.ts";
import type { Loaded, View } from "./view.ts";

export interface RowsDeps extends RowDeps {
  readonly store: Store;
  readonly report: (error: unknown) => void;
}

interface Asked<Value> {
  /** Those that are held here, of which rows are to be made; what waits to be posted has its row anyway. */
  readonly read: (tx: ReadTx, room: RoomName, pending: readonly OutboxRecord[]) => Promise<readonly Message[]>;
  readonly shape: (rows: readonly TimelineMessage[], room: RoomName, pending: readonly OutboxRecord[]) => Value;
}

export function rowsView<Value>(
  deps: RowsDeps,
  channel: ChannelId,
  { read, shape }: Asked<Value>,
): View<Loaded<Value>> {
  const { store, replica, liveness } = deps;
  const room = channelRoom(replica.workspace, channel);
  const shown = cell<Loaded<Value>>({ state: "loading" });
  /** One reading at a time; what changes meanwhile is read after it. */
  let reading: Promise<void> | null = null;
  let isStale = false;

  const readAll = async (): Promise<void> => {
    await replica.loaded;
    const pending = replica.pendingOf(room);
    const held = await store.read(["messages"], (tx) => read(tx, room, pending));
    const byId = new Map(held.map((message) => [message.id, message]));
    const context = rowContext(deps, channel, (id) => byId.get(id));
    const { rows } = timelineRows([...byId.values()], pending, context, emptyCache());
    shown.set({ state: "ready", value: shape(rows, room, pending) });
  };

  const refresh = (): void => {
    isStale = true;
    if (reading !== null) return;
    isStale = false;
    reading = readAll()
      .catch(deps.report)
      .finally(() => {
        reading = null;
        if (isStale) refresh();
      });
  };

  const sources: Source[] = [
    liveness,
    {
      subscribe: (listener) =>
        store.listen((commit) => {
          const { put, dropsBelow, isTouched } = readCommit(commit, room, channel);
          if (put.length > 0 || dropsBelow > 0 || isTouched) listener();
        }),
    },
    // Commits may have been missed.
    replica.readings,
  ];
  let listenerCount = 0;
  let stops: (() => void)[] = [];
  return {
    snapshot: shown.snapshot,
    subscribe: (listener) => {
      const stop = shown.subscribe(listener);
      if (listenerCount++ === 0) {
        stops = sources.map((source) => source.subscribe(refresh));
        refresh();
      }
      return () => {
        stop();
        if (--listenerCount === 0) for (const end of stops.splice(0)) end();
      };
    },
  };
}
