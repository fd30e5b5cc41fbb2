// The messages that stand in a timeline's window: read by key range, kept by commits, with the roots they quote.
import type { Message } from "#protocol/entities/message.ts";
import type { MessageId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { messageById, messagesBetween } from "./messages.ts";
import type { Store } from "./store.ts";

/** The places shown: both included; `to` null follows the newest. */
export interface Places {
  readonly from: number;
  readonly to: number | null;
}

export interface TimelineWindow {
  /** Null until something was read. */
  readonly places: () => Places | null;
  readonly messages: () => readonly Message[];
  readonly has: (id: MessageId) => boolean;
  /** In the window, or the root of a reply in it. */
  readonly messageOf: (id: MessageId) => Message | undefined;
  readonly isReading: () => boolean;
  /** Resolves when all reads so far are shown. */
  readonly settled: () => Promise<void>;
  /** Moves to these places, reading what isn't shown yet; what is committed meanwhile is not lost. */
  readonly read: (next: Places) => Promise<void>;
  /** What a commit put: shown where it stands in the window. */
  readonly take: (put: readonly Message[]) => void;
  /** Begins at this place from now on, if it began before. */
  readonly dropBelow: (seq: number) => void;
  readonly dropAll: () => void;
  /** What is held stays until it is read anew. */
  readonly leave: () => void;
}

/** @param changed told when something was read */
export function openWindow(store: Store, room: RoomName, changed: () => void): TimelineWindow {
  let places: Places | null = null;
  let messages: readonly Message[] = [];
  let byId = new Map<MessageId, Message>();
  /** Roots of replies in the window that stand outside it; null where not held. */
  const roots = new Map<MessageId, Message | null>();
  /** Reads in a row: a later one must not be overtaken by an earlier. */
  let reading: Promise<void> = Promise.resolve();
  /** Commits heard while a read is under way: it may have read what stood before them. */
  let missed: Message[] | null = null;

  const show = (next: readonly Message[]): void => {
    messages = next;
    byId = new Map(messages.map((message) => [message.id, message]));
  };

  const held = (next: Places): Promise<readonly Message[]> =>
    store.read(["messages", "rooms"], async (tx) => {
      const to = next.to ?? (await tx.get("rooms", room))?.lastSeq ?? 0;
      return messagesBetween(tx, room, next.from, to);
    });

  const read = (next: Places): Promise<void> => {
    // One that failed, as when site data is cleared, is no reason for the next to fail.
    const before = reading.catch(() => undefined);
    reading = before.then(async () => {
      missed = [];
      const late = missed;
      try {
        const shown = places;
        // What is shown already is kept up by commits, so a long window grows as quickly as a short one.
        const isLonger = shown !== null && shown.to === next.to && next.from < shown.from;
        let found = await held(isLonger ? { from: next.from, to: shown.from - 1 } : next);
        // Emptied or cut meanwhile: then all of it is read.
        if (isLonger) found = places === shown ? [...found, ...messages] : await held(next);
        places = next;
        show(found);
      } finally {
        missed = null;
      }
      merge(late);
      await readRoots();
      changed();
    });
    return reading;
  };

  const readRoots = async (): Promise<void> => {
    const missing = new Set(
      messages.flatMap(({ root }) => (root === undefined || byId.has(root) || roots.has(root) ? [] : [root])),
    );
    if (missing.size === 0) return;
    await store.read(["messages"], async (tx) => {
      for (const id of missing) roots.set(id, (await messageById(tx, room, id)) ?? null);
    });
  };

  const merge = (put: readonly Message[]): void => {
    const fresh = new Map(put.map((message) => [message.id, message]));
    for (const message of put) if (roots.has(message.id)) roots.set(message.id, message);
    if (places === null) return;
    const { from, to } = places;
    const within = put.filter(({ seq }) => seq >= from && (to === null || seq <= to));
    if (within.length === 0) return;
    const kept = messages.filter(({ id }) => !fresh.has(id));
    const last = kept.at(-1)?.seq ?? 0;
    const all = [...kept, ...within];
    show(within.every(({ seq }, i) => seq > (within[i - 1]?.seq ?? last)) ? all : all.toSorted(bySeq));
    const needsRoots = within.some(({ root }) => root !== undefined && !byId.has(root) && !roots.has(root));
    if (needsRoots) reading = reading.then(readRoots).then(changed);
  };

  return {
    places: () => places,
    messages: () => messages,
    has: (id) => byId.has(id),
    messageOf: (id) => byId.get(id) ?? roots.get(id) ?? undefined,
    isReading: () => missed !== null,
    settled: () => reading,
    read,
    take: (put) => {
      missed?.push(...put);
      merge(put);
    },
    dropBelow: (seq) => {
      if (places !== null && places.from < seq) places = { ...places, from: seq };
      show(messages.filter((message) => message.seq >= seq));
    },
    dropAll: () => {
      places = null;
      show([]);
      roots.clear();
    },
    leave: () => {
      places = null;
    },
  };
}

function bySeq(one: Message, other: Message): number {
  return one.seq - other.seq;
}
