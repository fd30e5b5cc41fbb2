// The channel's list of pins: found by index on the device, with what waits applied as in the timeline.
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { messageById, pinnedMessages } from "./messages.ts";
import { channelRoom, isComplete } from "./rooms.ts";
import { rowContext, type RowDeps } from "./row-context.ts";
import type { PinsSnapshot } from "./snapshots.ts";
import { cell, type Source } from "./source.ts";
import type { Store } from "./store.ts";
import { readCommit } from "./timeline-commit.ts";
import { emptyCache, timelineRows } from "./timeline-rows.ts";
import type { Loaded, View } from "./view.ts";

export interface PinsDeps extends RowDeps {
  readonly store: Store;
  readonly report: (error: unknown) => void;
}

export function pinsView(deps: PinsDeps, channel: ChannelId): View<Loaded<PinsSnapshot>> {
  const { store, replica, liveness } = deps;
  const room = channelRoom(replica.workspace, channel);
  const shown = cell<Loaded<PinsSnapshot>>({ state: "loading" });
  /** One reading at a time; what changes meanwhile is read after it. */
  let reading: Promise<void> | null = null;
  let isStale = false;

  const read = async (): Promise<void> => {
    await replica.loaded;
    const pending = replica.pendingOf(room);
    const held = await store.read(["messages"], async (tx) => {
      const pins = await pinnedMessages(tx, room);
      const waiting = pending.flatMap((op) => (op.op === "message.pin" ? [op.args.id] : []));
      const others = await Promise.all(waiting.map((id) => messageById(tx, room, id)));
      return [...pins, ...others.filter((message) => message !== undefined)];
    });
    const byId = new Map<MessageId, Message>(held.map((message) => [message.id, message]));
    const context = rowContext(deps, channel, (id) => byId.get(id));
    const { rows } = timelineRows([...byId.values()], pending, context, emptyCache());
    const record = replica.rooms.get(room);
    const messages = rows
      .filter(({ pinned }) => pinned !== undefined)
      .toSorted((one, other) => (other.pinned?.at ?? 0) - (one.pinned?.at ?? 0));
    shown.set({ state: "ready", value: { messages, isWhole: record !== undefined && isComplete(record) } });
  };

  const refresh = (): void => {
    isStale = true;
    if (reading !== null) return;
    isStale = false;
    reading = read()
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
          const { put, dropsAll, dropsBelow, isTouched } = readCommit(commit, room, channel);
          if (put.length > 0 || dropsAll || dropsBelow > 0 || isTouched) listener();
        }),
    },
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
