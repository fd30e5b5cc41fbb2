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
  /** In the window, or the root of a reply in it, or named by what waits. */
  readonly messageOf: (id: MessageId) => Message | undefined;
  readonly isReading: () => boolean;
  /** Resolves when all reads so far are shown. */
  readonly settled: () => Promise<void>;
  /** Moves to these places, reading what isn't shown yet; what is committed meanwhile is not lost. */
  readonly read: (next: Places) => Promise<void>;
  /** What a commit put: shown where it stands in the window. To be told also where only what waits changed. */
  readonly take: (put: readonly Message[]) => void;
  /** Begins at this place from now on, if it began before. */
  readonly dropBelow: (seq: number) => void;
  readonly dropAll: () => void;
  /** What is held stays until it is read anew. */
  readonly leave: () => void;
}

/** What may name a message: the one that it answers, and then shows too; of what waits also the one that it is of. */
export type Naming = Partial<Pick<Message, "id" | "root">>;

export interface WindowDeps {
  readonly store: Store;
  readonly room: RoomName;
  /**
   * What waits to be sent: it stands below any window and quotes all the same, and where its answer was lost the room may
   * have it already.
   */
  readonly pending: () => readonly Naming[];
  /** Told when something was read. */
  readonly changed: () => void;
  /** What nobody waits for couldn't be read. */
  readonly report: (error: unknown) => void;
}

export function openWindow({ store, room, pending, changed, report }: WindowDeps): TimelineWindow {
  let places: Places | null = null;
  let messages: readonly Message[] = [];
  let byId = new Map<MessageId, Message>();
  /** Outside the window: roots of replies in it, and what is named by what waits; null where not held. */
  const outside = new Map<MessageId, Message | null>();
  /** Reads in a row: a later one must not be overtaken by an earlier. */
  let reading: Promise<void> = Promise.resolve();
  /** Reads asked for and not done. */
  let waiting = 0;
  /** Commits heard while a read is under way: it may have read what stood before them. */
  let missed: Message[] | null = null;

  const show = (next: readonly Message[]): void => {
    messages = next;
    byId = new Map(messages.map((message) => [message.id, message]));
  };

  const held = ({ from, to }: Places): Promise<readonly Message[]> =>
    store.read(["messages"], (tx) => messagesBetween(tx, room, from, to ?? Infinity));

  const read = (next: Places): Promise<void> => {
    // One that failed, as when site data is cleared, is no reason for the next to fail.
    const before = reading.catch(() => undefined);
    waiting += 1;
    reading = before.then(async () => {
      missed = [];
      const late = missed;
      const shown = places;
      // What is shown already is kept up by commits, so a long window grows as quickly as a short one.
      const isLonger = shown !== null && shown.to === next.to && next.from < shown.from;
      try {
        let found = await held(isLonger ? { from: next.from, to: shown.from - 1 } : next);
        // Emptied or cut meanwhile: then all of it is read.
        if (isLonger) found = places === shown ? [...found, ...messages] : await held(next);
        places = next;
        show(found);
      } finally {
        missed = null;
        waiting -= 1;
      }
      merge(late);
      await readOutside(!isLonger);
      changed();
    });
    return reading;
  };

  /** What these quote, and what waits, and isn't read yet; anew also what waits itself. */
  const unread = (of: readonly Naming[], isAnew: boolean): MessageId[] => {
    const isMissing = (id?: MessageId): id is MessageId =>
      id !== undefined && !byId.has(id) && (isAnew || !outside.has(id));
    // What is posted from now on isn't held yet, and a tab that is frozen in the middle of a read keeps all others waiting.
    const named = [...of, ...pending()].flatMap(({ id, root }) => (isAnew ? [id, root] : [root]));
    return [...new Set(named.filter(isMissing))];
  };

  /** @param isAnew also those that are known: commits may have been missed */
  const readOutside = async (isAnew: boolean): Promise<void> => {
    const missing = unread(messages, isAnew);
    if (missing.length === 0 && !isAnew) return;
    await store.read(["messages"], async (tx) => {
      const found = await Promise.all(missing.map((id) => messageById(tx, room, id)));
      if (isAnew) outside.clear();
      missing.forEach((id, i) => outside.set(id, found[i] ?? null));
    });
  };

  const merge = (put: readonly Message[]): void => {
    const fresh = new Map(put.map((message) => [message.id, message]));
    for (const message of put) if (outside.has(message.id)) outside.set(message.id, message);
    if (places === null) return;
    const { from, to } = places;
    const within = [...fresh.values()].filter(({ seq }) => seq >= from && (to === null || seq <= to));
    if (within.length > 0) {
      const kept = messages.filter(({ id }) => !fresh.has(id));
      show([...kept, ...within].toSorted(bySeq));
    }
    if (unread(within, false).length === 0) return;
    const before = reading.catch(() => undefined);
    reading = before
      .then(() => readOutside(false))
      .then(changed)
      .catch(report);
  };

  return {
    places: () => places,
    messages: () => messages,
    has: (id) => byId.has(id),
    messageOf: (id) => byId.get(id) ?? outside.get(id) ?? undefined,
    isReading: () => waiting > 0,
    settled: () => reading,
    read,
    take: (put) => {
      missed?.push(...put);
      merge(put);
    },
    dropBelow: (seq) => {
      if (places === null || places.from >= seq) return;
      places = { ...places, from: seq };
      const before = byId;
      show(messages.filter((message) => message.seq >= seq));
      // What still quotes them goes on doing so, and what waits and is among them is known to be held.
      for (const id of unread(messages, true)) {
        const quoted = before.get(id);
        if (quoted !== undefined) outside.set(id, quoted);
      }
    },
    dropAll: () => {
      places = null;
      show([]);
      outside.clear();
    },
    leave: () => {
      places = null;
    },
  };
}

function bySeq(one: Message, other: Message): number {
  return one.seq - other.seq;
}
