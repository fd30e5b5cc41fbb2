// A person's whole outbox over HTTP, room by room and in the order that its ops need one another ([OP8], [OP12]).
import type { RoomName } from "#protocol/room-name.ts";
import { waits } from "../store/needs.ts";
import { readWorkOffline } from "../store/work-offline.ts";
import { isOpen, readOutbox } from "../store/outbox.ts";
import type { OutboxRecord } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { isHeldBack } from "./hold-back.ts";
import { flushRoom, withoutToken, type FlushDeps, type Flushed } from "./flush-room.ts";

/** Rooms called at once. */
const AT_ONCE = 4;

/** What people write meanwhile doesn't keep the worker for ever. */
const ROUNDS_MAX = 20;

/** What could be sent now: numbered already, or waiting for nothing but its turn. */
export function sendable(outbox: readonly OutboxRecord[]): readonly OutboxRecord[] {
  const waiting = waits(outbox);
  return outbox.filter((op) => op.n !== undefined || (isOpen(op) && !waiting.has(op.id)));
}

export async function flushAll(deps: Omit<FlushDeps, "maySend">): Promise<Flushed> {
  const { store, tokens, signal } = deps;
  const results = new Map<RoomName, Flushed>();
  let rounds = 0;
  const maySend = async (): Promise<boolean> => {
    if (signal.aborted) return false;
    const isOffline = store.read(["meta"], readWorkOffline);
    const isHeld = isHeldBack(store, deps.ports.locks, deps.me);
    return !(await isOffline) && !(await isHeld) && !signal.aborted;
  };
  while (rounds++ < ROUNDS_MAX && (await maySend())) {
    const rooms = (await roomsToFlush(store)).filter((room) => (results.get(room) ?? "done") === "done");
    // A room that was flushed and is named again got more meanwhile: a channel's creation was acknowledged, or somebody
    // wrote on. One that can't go on isn't tried twice.
    if (rooms.length === 0) return worst([...results.values()]);
    // Asked for in one turn, they come in one answer. Where none comes nothing gets a number: it would have to be taken for
    // delivered, though it never left, and could be taken back only by sending it first ([OP10]).
    const open = await Promise.all(
      rooms.map(async (room) => {
        const decision = await tokens.get(room, false, "connect");
        if (decision.do === "use") return [room];
        results.set(room, withoutToken(decision));
        return [];
      }),
    );
    await each(open.flat(), async (room) => {
      results.set(room, await flushRoom({ ...deps, maySend }, room));
    });
  }
  return signal.aborted || rounds > ROUNDS_MAX ? "later" : "left";
}

async function roomsToFlush(store: Store): Promise<readonly RoomName[]> {
  const outbox = await store.read(["outbox"], readOutbox);
  return [...new Set(sendable(outbox).map(({ room }) => room))];
}

async function each(rooms: readonly RoomName[], work: (room: RoomName) => Promise<void>): Promise<void> {
  const left = [...rooms];
  const worker = async (): Promise<void> => {
    for (let room = left.shift(); room !== undefined; room = left.shift()) await work(room);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function worst(results: readonly Flushed[]): Flushed {
  if (results.includes("later")) return "later";
  return results.includes("left") ? "left" : "done";
}
