// What a replica promises whatever came to it, for its model: by the room as it is, what breaks each promise.
import { countsAsUnread, type LiveMessage, type Message } from "#protocol/entities/message.ts";
import { heardTo } from "../../store/rooms.ts";
import type { RoomRecord } from "../../store/schema.ts";
import { isKept } from "../../sync/catch-up.ts";
import { ME, type ModelRoom } from "./room.ts";

export interface Seen {
  readonly room: ModelRoom;
  readonly record: RoomRecord;
  /** What is stored, by place. */
  readonly held: readonly Message[];
}

export function isOfThisHistory({ room, record }: Pick<Seen, "room" | "record">): boolean {
  return record.epoch === room.epoch && record.ranges.length > 0;
}

export function namesMe(message: Message): message is LiveMessage {
  return !message.deleted && message.author !== ME && message.mentions?.includes(ME) === true;
}

/** As it is compared and told. */
export function nameOf({ seq, rev }: Message): string {
  return `${seq}@${rev}`;
}

interface Promised {
  readonly what: string;
  readonly isDue: (seen: Seen) => boolean;
  readonly broken: (seen: Seen) => readonly (string | number)[];
}

const isAlways = (): boolean => true;
const isCaughtUp = (seen: Seen): boolean =>
  isOfThisHistory(seen) && seen.record.cursor === seen.room.head && seen.record.second === null;
const isWhole = (seen: Seen): boolean =>
  isCaughtUp(seen) && seen.record.ranges.length === 1 && (seen.record.ranges[0]?.from ?? 1) <= 1;

const PROMISES: readonly Promised[] = [
  {
    what: "no message stands outside every range",
    isDue: isAlways,
    broken: ({ record, held }) => held.filter(({ seq }) => !isKept(record, seq)).map(nameOf),
  },
  {
    what: "as many are counted as are stored",
    isDue: isAlways,
    broken: ({ record, held }) => (record.heldCount === held.length ? [] : [record.heldCount]),
  },
  { what: "what is in a range is as it was at the cursor, or later", isDue: isOfThisHistory, broken: behind },
  { what: "nothing is missing up to where it was heard", isDue: isOfThisHistory, broken: missing },
  { what: "nothing unread counts as read", isDue: isCaughtUp, broken: takenForRead },
  { what: "it knows who is named by which message", isDue: isCaughtUp, broken: misnamed },
  {
    // What was spared alone in a gap may still be taken for it where it is one's own (docs/known-limits.md).
    what: "where all is held, nothing that is unread lies above the highest that is known to be",
    isDue: isWhole,
    broken: ({ room, record: { top } }) => (top >= highestUnread(room) ? [] : [top]),
  },
];

const AT_THE_END: readonly Promised[] = [
  {
    what: "all is held that the room holds, as it is there",
    isDue: isAlways,
    broken: ({ room, held }) => differences(held.map(nameOf), room.messages().map(nameOf)),
  },
  {
    what: "its last place is the room's",
    isDue: isAlways,
    broken: ({ room, record: { lastSeq } }) => (lastSeq === room.messages().length ? [] : [lastSeq]),
  },
  {
    what: "who is named is who the room says",
    isDue: isAlways,
    broken: ({ room, record }) => differences(record.naming, room.messages().filter(namesMe).map(seqOf)),
  },
];

/** What is broken, in words; empty where all is kept. */
export function brokenNow(seen: Seen): string[] {
  return brokenOf(PROMISES, seen);
}

export function brokenAtTheEnd(seen: Seen): string[] {
  return brokenOf(AT_THE_END, seen);
}

function brokenOf(promises: readonly Promised[], seen: Seen): string[] {
  return promises.flatMap(({ what, isDue, broken }) => {
    const by = isDue(seen) ? broken(seen) : [];
    return by.length === 0 ? [] : [`${what}: not so by ${by.join(" ")}`];
  });
}

/** What is in one and not in the other, or oftener. */
export function differences<T extends string | number>(one: readonly T[], other: readonly T[]): T[] {
  const rest = [...other];
  const more = one.filter((each) => {
    const at = rest.indexOf(each);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [...more, ...rest];
}

function seqOf({ seq }: Message): number {
  return seq;
}

/** Older ranges promise it for the second cursor alone ([SY4]). */
function behind({ room, record, held }: Seen): string[] {
  const { ranges, second } = record;
  const cursor = Math.min(record.cursor ?? 0, second?.cursor ?? Infinity);
  const bySeq = new Map(held.map((message) => [message.seq, message]));
  return room
    .messages()
    .filter(({ seq }) => ranges.some(({ from, to }) => seq >= from && (to === null || seq <= to)))
    .filter(({ seq, rev }) => rev <= cursor && bySeq.get(seq)?.rev !== rev)
    .map(nameOf);
}

function missing({ record, held }: Seen): number[] {
  const from = record.ranges.at(-1)?.from ?? 1;
  const seqs = new Set(held.map(seqOf));
  const places = Array.from({ length: Math.max(0, heardTo(record) - from + 1) }, (_, i) => from + i);
  return places.filter((seq) => !seqs.has(seq));
}

function highestUnread(room: ModelRoom): number {
  const isUnread = (message: Message): boolean => !message.deleted && countsAsUnread(message) && message.author !== ME;
  return room.messages().findLast(isUnread)?.seq ?? 0;
}

/** What wasn't heard of yet is shown as unread all the same. */
function takenForRead({ room, record }: Seen): number[] {
  const top = highestUnread(room);
  return top <= heardTo(record) && record.top < top ? [top] : [];
}

/** Also what isn't held may name somebody; what is held must. */
function misnamed({ room, record, held }: Seen): number[] {
  const wrong = record.naming.filter((seq) => !room.messages().some((each) => each.seq === seq && namesMe(each)));
  return [
    ...wrong,
    ...held
      .filter(namesMe)
      .map(seqOf)
      .filter((seq) => !record.naming.includes(seq)),
  ];
}
