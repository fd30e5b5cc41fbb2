// The event log: what happened to connection, outbox and device, as a bounded ring on disk. Kept by the leader, who hears
// of every tab's commits. Ids and counts only: never a text, a token or a name. It must never be in the way of anything,
// so what can't be written is dropped in the end.
import type { OpId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { EVENTS_KEPT } from "../store/events.ts";
import { isCounted } from "../store/outbox.ts";
import { readOutbox } from "../store/outbox.ts";
import type { EventRecord, OutboxRecord, RoomRecord } from "../store/schema.ts";
import { NotLeader, type Change, type Commit, type Store } from "../store/store.ts";
import type { Ports } from "./ports.ts";

/** What is noted; time and place are given to it. */
export type Note = Omit<EventRecord, "at" | "place" | "count"> & { readonly count?: number };

export interface Journal {
  readonly note: (note: Note) => void;
  /** Writes what is left. */
  readonly stop: () => Promise<void>;
}

/** Lines of one moment are one write, and those that say the same are one line. */
const WRITE_AFTER_MS = 500;
const UNWRITTEN_MAX = 200;
const IDS_MAX = 5;

export function keepJournal(store: Store, ports: Pick<Ports, "now" | "timers" | "report">, leader: string): Journal {
  let unwritten: Omit<EventRecord, "place">[] = [];
  let last: number | null = null;
  let timer: unknown = null;
  let writing: Promise<void> = Promise.resolve();
  /** Ops as last seen, by place. */
  const seen = new Map<number, Pick<OutboxRecord, "id" | "room" | "op" | "n" | "refusal" | "isFound" | "isGivenUp">>();
  /** What the history is called that is held of each room. */
  const epochs = new Map<RoomName, string>();

  const note = (entry: Note): void => {
    // A state that comes back is told again, for the last line says how things stand.
    const latest = unwritten.findLastIndex((line) => isState(line) && line.kind === entry.kind);
    const same = unwritten.findIndex(
      ({ kind, what, detail }, at) =>
        kind === entry.kind && what === entry.what && detail === entry.detail && (!isState(entry) || at === latest),
    );
    const before = unwritten[same];
    if (before === undefined) unwritten.push({ ...entry, at: ports.now() });
    else unwritten[same] = joined(before, entry);
    unwritten = unwritten.slice(-UNWRITTEN_MAX);
    timer ??= ports.timers.set(() => {
      timer = null;
      writing = writing.then(write);
    }, WRITE_AFTER_MS);
  };

  const write = async (): Promise<void> => {
    const lines = unwritten;
    if (lines.length === 0) return;
    unwritten = [];
    try {
      await store.write({ tables: ["events"], durability: "relaxed", leader }, async (tx) => {
        last ??= (await tx.all("events")).at(-1)?.place ?? 0;
        for (const [i, line] of lines.entries()) tx.put("events", { ...line, place: last + 1 + i });
        const oldest = last + lines.length - EVENTS_KEPT;
        if (oldest > 0) tx.remove("events", { lower: 1, upper: oldest });
      });
      last = (last ?? 0) + lines.length;
    } catch (error) {
      // The next line brings them along, if then there is room.
      unwritten = [...lines, ...unwritten].slice(-UNWRITTEN_MAX);
      if (!(error instanceof NotLeader || error instanceof DOMException)) ports.report(error);
    }
  };

  const hear = (commit: Commit): void => {
    let stored = 0;
    for (const change of commit) {
      if (change.table === "outbox") noteOp(change);
      else if (change.table === "rooms" && "put" in change) noteRoom(change.put);
      else if (change.table === "messages" && "put" in change) stored += 1;
    }
    const room = commit.find((change) => change.table === "messages" && "put" in change);
    if (stored > 0 && room?.table === "messages" && "put" in room)
      note({ kind: "sync", what: "stored", room: room.put.room, count: stored });
  };

  /** It leaves the device without a trace otherwise: what an operator took the room back behind. */
  const noteRoom = ({ name, epoch }: RoomRecord): void => {
    if (!epoch) return;
    const isRestored = (epochs.get(name) ?? epoch) !== epoch;
    epochs.set(name, epoch);
    if (isRestored && parseRoomName(name)?.party === "channel") note({ kind: "sync", what: "restored", room: name });
  };

  const noteOp = (change: Extract<Change, { table: "outbox" }>): void => {
    if (!("put" in change)) {
      const gone = seen.get(change.remove as number);
      seen.delete(change.remove as number);
      if (gone === undefined) return;
      if (gone.isFound === true || (gone.n !== undefined && gone.isGivenUp !== true)) return tell("delivered", gone);
      return tell(gone.refusal !== undefined || gone.isGivenUp === true ? "discarded" : "taken-back", gone);
    }
    const { put } = change;
    if (!isCounted(put)) return;
    const before = seen.get(put.place);
    seen.set(put.place, put);
    if (before === undefined) return tell("queued", put);
    if (put.refusal !== undefined && before.refusal === undefined) return tell("refused", put, put.refusal.code);
    if (put.refusal === undefined && before.refusal !== undefined) return tell("tried-again", put);
    if (put.n !== undefined && before.n === undefined) return tell("sent", put);
    if (put.n === undefined && before.n !== undefined) return tell("renumbered", put);
  };

  const tell = (what: string, { id, room, op }: { id: OpId; room: EventRecord["room"]; op: string }, code?: string) =>
    note({
      kind: "outbox",
      what,
      ...(room === undefined ? {} : { room }),
      count: 1,
      ids: [id],
      detail: code === undefined ? op : `${op}: ${code}`,
    });

  // What waits from before was queued before.
  const begun = store
    .read(["outbox", "rooms"], async (tx) => [await readOutbox(tx), await tx.all("rooms")] as const)
    .then(
      ([ops, rooms]) => {
        for (const op of ops) if (isCounted(op) && !seen.has(op.place)) seen.set(op.place, op);
        for (const { name, epoch } of rooms) if (epoch && !epochs.has(name)) epochs.set(name, epoch);
      },
      () => undefined,
    );
  const stopListening = store.listen(hear);

  return {
    note,
    stop: async () => {
      stopListening();
      ports.timers.clear(timer);
      await begun;
      await writing.then(write);
    },
  };
}

/** Whether the next of its kind says that it is over; other lines count. */
function isState({ kind, what }: Pick<Note, "kind" | "what">): boolean {
  return kind !== "outbox" && kind !== "sync" && what !== "closed";
}

function joined(line: Omit<EventRecord, "place">, entry: Note): Omit<EventRecord, "place"> {
  const { room, ...rest } = line;
  const ids = [...(line.ids ?? []), ...(entry.ids ?? [])].slice(0, IDS_MAX);
  return {
    ...rest,
    ...(room !== undefined && room === entry.room ? { room } : {}),
    count: (line.count ?? 1) + (entry.count ?? 1),
    ...(ids.length > 0 ? { ids } : {}),
  };
}
