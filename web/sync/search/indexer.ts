// Keeps the index equal to the replica: reads what it lacks, newest first and a slice at a time, and takes up what the
// tabs commit. One thing at a time, so that a slice read before a commit is never taken for newer than it.
import type { Message } from "#protocol/entities/message.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { RoomRecord } from "../../store/schema.ts";
import type { Change, Commit } from "../../store/store.ts";
import { add, has, noBits, type Bits } from "./bits.ts";
import { coverageOf, planOf, sizeOf, spansOf, type Coverage, type Span } from "./coverage.ts";
import { docOf } from "./query.ts";
import { removedBy, type Reader } from "./reader.ts";
import type { SearchIndex } from "./search-index.ts";

/** Messages read at once: a few milliseconds' work, between which questions are answered. */
const SLICE = 512;

export interface IndexerDeps {
  readonly reader: Reader;
  readonly index: SearchIndex;
  /** What of each room the index held when it was stored. */
  readonly covered: Map<RoomName, Coverage>;
  readonly changed: () => void;
}

export interface Indexer {
  /** Reads what the index lacks. Resolves when all is read. */
  readonly catchUp: () => Promise<void>;
  readonly hear: (commit: Commit) => void;
  /** Messages that still have to be read. */
  readonly todo: () => number;
  /** Whether it is known what the index lacks. */
  readonly isPlanned: () => boolean;
}

interface Scan {
  readonly room: RoomName;
  record: RoomRecord;
  /** What remains, the next one last. */
  readonly spans: Span[];
  /** Seqs up to `upTo` that were found; null where what isn't found may still be there. */
  readonly seen: { readonly bits: Bits; readonly upTo: number } | null;
  /** Where only what is new is read: the revs of meanwhile that none of it has shown yet. */
  readonly unseenRevs: Set<number>;
  /**
   * What the index holds of it may be of another history, which an operator took back ([SV4]): neither its revs nor its
   * times say anything, so it goes place by place.
   */
  readonly isOther: boolean;
}

export function createIndexer({ reader, index, covered, changed }: IndexerDeps): Indexer {
  let scans: Scan[] = [];
  let isReading = false;
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let isPlanned = false;
  const early: Commit[] = [];
  /** What was held when the replica was last looked at. Commits told of since may have had gaps; this has none. */
  const sure = new Map(covered);

  const scanOf = (room: RoomName): Scan | undefined => scans.find((scan) => scan.room === room);

  const put = (room: RoomName, message: Message): void => {
    const doc = docOf(room, message);
    if (doc === null) index.remove({ room, seq: message.seq, at: message.createdAt });
    else index.put(doc);
    const seen = scanOf(room)?.seen;
    if (seen != null && message.seq <= seen.upTo) add(seen.bits, message.seq);
  };

  const takeRoom = (record: RoomRecord): void => {
    if (!isChannelRoom(record.name)) return;
    const scan = scanOf(record.name);
    if (scan !== undefined) scan.record = record;
    // Before it is known what lacks, news of a room say nothing of what was there already.
    else if (isPlanned) covered.set(record.name, coverageOf(record));
  };

  const take = (change: Change): void => {
    if (change.table === "messages") {
      if ("put" in change) return put(change.put.room, change.put.message);
      const removed = removedBy(change.remove);
      index.removeWhere(removed.room, removed.has);
    } else if (change.table === "rooms") {
      if ("put" in change) takeRoom(change.put);
      else covered.delete(change.remove as RoomName);
    }
  };

  const hear = (commit: Commit): void => {
    if (isReading) return void early.push(commit);
    const { version } = index;
    commit.forEach(take);
    if (index.version !== version) changed();
  };

  const read = async <T>(ask: () => Promise<T>, takeUp: (value: T) => void): Promise<void> => {
    isReading = true;
    try {
      takeUp(await ask());
    } finally {
      isReading = false;
      for (const commit of early.splice(0)) commit.forEach(take);
    }
  };

  const plan = (records: readonly RoomRecord[]): void => {
    const rooms = records.filter(({ name }) => isChannelRoom(name));
    const known = new Set<string>(rooms.map(({ name }) => name));
    const held = index.roomsHeld();
    for (const room of [...held, ...covered.keys()]) {
      if (known.has(room)) continue;
      index.removeWhere(room, () => true);
      covered.delete(room as RoomName);
      sure.delete(room as RoomName);
    }
    scans = rooms.flatMap((record): Scan[] => {
      const { name: room } = record;
      const before = sure.get(room);
      const planned = planOf(before, coverageOf(record));
      if (planned === null) return [];
      for (const { from, to } of planned.drop) index.removeWhere(room, (seq) => seq >= from && seq <= to);
      const upTo = Math.max(record.lastSeq, before?.lastSeq ?? 0, covered.get(room)?.lastSeq ?? 0);
      const isOther = held.has(room) && before?.epoch !== record.epoch;
      // What isn't read anew stands where something may be posted meanwhile.
      if (isOther) index.removeWhere(room, (seq) => !planned.read.some(({ from, to }) => seq >= from && seq <= to));
      // Only once it is read through may it be called held.
      covered.delete(room);
      sure.delete(room);
      const seen = planned.isWhole ? { bits: noBits(upTo + 1), upTo } : null;
      const unseenRevs = new Set(planned.isWhole ? [] : revsBetween(before?.cursor ?? 0, record.cursor ?? 0));
      return [{ room, record, spans: slices(planned.read), seen, unseenRevs, isOther }];
    });
  };

  /** What was new doesn't account for all that happened: something that was held before has changed. */
  const readWhole = ({ room, record }: Scan): void => {
    const upTo = record.lastSeq;
    const spans = slices(spansOf(record).toReversed());
    scans.push({ room, record, spans, seen: { bits: noBits(upTo + 1), upTo }, unseenRevs: new Set(), isOther: false });
  };

  const step = async (scan: Scan): Promise<void> => {
    const span = scan.spans.pop();
    if (span === undefined) return finish(scan);
    const answered = new Set<Message["id"]>();
    await read(
      () => reader.between(scan.room, span.from, span.to),
      (messages) => {
        if (scan.isOther) index.removeWhere(scan.room, (seq) => seq >= span.from && seq <= span.to);
        for (const message of messages) {
          put(scan.room, message);
          scan.unseenRevs.delete(message.rev);
          if (message.root !== undefined) answered.add(message.root);
        }
      },
    );
    // Where only what is new is read, what it answers has replies now.
    if (scan.seen === null && answered.size > 0) {
      await read(
        () => reader.byId(scan.room, [...answered]),
        (roots) => roots.forEach((root) => root !== undefined && put(scan.room, root)),
      );
    }
    if (scan.spans.length === 0) finish(scan);
    // In turn, so that the newest of every channel is there first.
    else scans.push(...scans.splice(scans.indexOf(scan), 1));
  };

  const finish = (scan: Scan): void => {
    scans = scans.filter((other) => other !== scan);
    if (scan.unseenRevs.size > 0) return readWhole(scan);
    const { seen, room } = scan;
    if (seen !== null) index.removeWhere(room, (seq) => seq <= seen.upTo && !has(seen.bits, seq));
    covered.set(room, coverageOf(scan.record));
    sure.set(room, coverageOf(scan.record));
  };

  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      await read(reader.rooms, plan);
      isPlanned = true;
      changed();
      for (let scan = scans[0]; scan !== undefined; scan = scans[0]) {
        await step(scan);
        index.tidy();
        changed();
      }
    } while (isAskedAgain);
  };

  return {
    catchUp: () => {
      if (running !== null) isAskedAgain = true;
      running ??= run().finally(() => {
        running = null;
        changed();
      });
      return running;
    },
    hear,
    todo: () => scans.reduce((sum, { spans }) => sum + sizeOf(spans), 0),
    isPlanned: () => isPlanned,
  };
}

function isChannelRoom(name: string): boolean {
  return name.startsWith("channel:");
}

/** Without the first. */
function revsBetween(after: number, upTo: number): number[] {
  return Array.from({ length: upTo - after }, (_, i) => after + 1 + i);
}

/** Newest first as given; the next one last, to be taken from the end. */
function slices(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of spans) {
    for (let { to } = span; to >= span.from; to -= SLICE) found.push({ from: Math.max(span.from, to - SLICE + 1), to });
  }
  return found.reverse();
}
