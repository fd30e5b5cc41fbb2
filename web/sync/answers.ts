// Stores the course of an op: its number, its answer, or that it must be numbered anew. Each in one transaction that
// checks who leads, so that two tabs never number at once; a number is durable before it is sent ([OP7], [OP10]).
import type { Entity } from "#protocol/entities/entity.ts";
import { failure, type Failure } from "#protocol/errors.ts";
import type { Ack, Refuse } from "#protocol/frames/answer.ts";
import type { DeviceId, UserId } from "#protocol/ids.ts";
import { CLIENT_FRAME_MAX_BYTES, OPS_IN_FLIGHT_MAX } from "#protocol/limits.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { isDeletedBehind } from "../store/deleted-behind.ts";
import { deviceOf, newDevice } from "../store/devices.ts";
import { isCounted, isOpen, putOp, readOutbox, readOutboxOf, removeOp } from "../store/outbox.ts";
import { heldBackMs, numbered, refuseOp } from "../store/outbox-course.ts";
import { dropOp } from "../store/drop-op.ts";
import { openAgain } from "../store/open-again.ts";
import { waits } from "../store/needs.ts";
import type { DeviceRecord, OutboxRecord } from "../store/schema.ts";
import type { Refusal } from "../store/snapshots.ts";
import type { Store } from "../store/store.ts";
import type { Durability, WriteTx } from "../store/tx.ts";
import type { Verdict } from "./catch-up.ts";
import { closeRoom, dropReplica } from "./drop-channel.ts";
import { frameBytes } from "./op-frame.ts";
import { FRAME_TABLES, storeAck } from "./replica-store.ts";
import { keepRefused, storeMerged, takenBack } from "./taken-back.ts";
import { settingOf } from "../store/settings.ts";
import { mayStand } from "../store/unseen.ts";

export type NumberedOp = OutboxRecord & { readonly n: number };

export interface Answers {
  readonly device: () => Promise<DeviceRecord>;
  readonly queue: () => Promise<readonly NumberedOp[]>;
  /** All that is ready, as far as there is room for it on the way. */
  readonly number: (now: number) => Promise<readonly NumberedOp[]>;
  /**
   * In one transaction; each answer's verdict, null where its op was answered before.
   * @param epoch of the connection that they came on
   */
  readonly acked: (acks: readonly Ack[], epoch?: string) => Promise<readonly (Verdict | null)[]>;
  readonly refused: (refuse: Refuse) => Promise<void>;
  readonly skip: (n: number, why: Failure) => Promise<NumberedOp | null>;
  /** @param device the one that conflicted: another tab may have mended it already */
  readonly renumber: (device: DeviceId) => Promise<void>;
  /** We are not let in any more; `dropsReplica` where what is held must leave the device. */
  readonly closed: (why: Failure, dropsReplica: boolean) => Promise<void>;
}

export function answersOf(store: Store, leader: string, room: RoomName, me: UserId, newId: () => string): Answers {
  const write = <T>(body: (tx: WriteTx) => Promise<T>, durability: Durability = "strict"): Promise<T> =>
    store.write({ tables: [...FRAME_TABLES, "devices"], durability, leader }, body);
  const opOf = async (tx: WriteTx, n: number): Promise<NumberedOp | undefined> =>
    numbered(await readOutboxOf(tx, room)).find((op) => op.n === n);

  const takeAck = async (tx: WriteTx, ack: Ack, epoch: string | undefined): Promise<Verdict | null> => {
    const op = await opOf(tx, ack.n);
    const verdict = await storeAck(tx, room, me, ack, epoch);
    if (ack.done === true) {
      if (op !== undefined) putOp(tx, unskipped(op));
      // What it made, nobody was told of.
      return { do: "pull", to: ack.rev ?? 0 };
    }
    if (op === undefined) return ack.from === undefined ? null : verdict;
    const isSkipped = ack.rev === null && (op.skip !== undefined || ack.done === false);
    if (!isSkipped) {
      removeOp(tx, op);
      await rebase(tx, op, ack);
      return verdict;
    }
    // Its number is used up; whether it was done before that the room can't say ([OP6]).
    const isMaybe = ack.done === undefined || mayStand(op);
    const { skip = failure("internal") } = op;
    await keepUndone(tx, op, isMaybe ? { ...skip, maybeDelivered: true } : skip);
    return verdict;
  };

  return {
    device: () => write((tx) => deviceOf(tx, room, newId)),
    queue: () => store.read(["outbox"], async (tx) => numbered(await readOutboxOf(tx, room))),
    number: (now) =>
      write(async (tx) => {
        let ready = readyIn(await readOutbox(tx), room, now);
        // The room ends the connection over one that no frame bears, and would over and over.
        for (let large = ready.find(isTooLarge); large !== undefined; large = ready.find(isTooLarge)) {
          await keepUndone(tx, large, failure("too_large", TOO_LARGE));
          ready = readyIn(await readOutbox(tx), room, now);
        }
        if (ready.length === 0) return [];
        const device = await deviceOf(tx, room, newId);
        tx.put("devices", { ...device, next: device.next + ready.length });
        return ready.map((op, i) => putOp(tx, { ...op, n: device.next + i, device: device.device }) as NumberedOp);
      }),
    // What is done needs no flush of its own: where the machine dies before, the op is sent again, and the room answers it
    // again. A refusal is held only until its end is known here.
    acked: (acks, epoch) =>
      write(async (tx) => {
        const verdicts: (Verdict | null)[] = [];
        for (const ack of acks) verdicts.push(await takeAck(tx, ack, epoch));
        return verdicts;
      }, "relaxed"),
    refused: ({ n, code, detail }) =>
      write(async (tx) => {
        const op = await opOf(tx, n);
        if (op === undefined) return;
        const outbox = await readOutbox(tx);
        const { n: _, device: __, ...undone } = op;
        if (!isDeletedBehind(outbox, op) && needsRefused(outbox, undone)) return void openAgain(tx, undone);
        // What isn't there is deleted.
        if (op.op === "message.delete" && code === "not_found") removeRefused(tx, op, { code, detail });
        else await keepUndone(tx, settled(op), { code, detail });
      }),
    skip: (n, why) =>
      write(async (tx) => {
        const op = await opOf(tx, n);
        return op === undefined ? null : (putOp(tx, { ...op, skip: why }) as NumberedOp);
      }),
    renumber: (device) =>
      write(async (tx) => {
        const known = await deviceOf(tx, room, newId);
        if (known.device !== device) return;
        newDevice(tx, room, newId);
        for (const op of numbered(await readOutboxOf(tx, room))) openAgain(tx, op);
      }),
    closed: (why, dropsReplica) =>
      write(async (tx) => {
        await closeRoom(tx, room, why);
        if (dropsReplica && parseRoomName(room)?.party === "channel") dropReplica(tx, room);
      }),
  };
}

/** What may get a number now, in order. */
function readyIn(outbox: readonly OutboxRecord[], room: RoomName, now: number): readonly OutboxRecord[] {
  const waiting = waits(outbox);
  const isReady = (op: OutboxRecord): boolean =>
    op.room === room && isOpen(op) && !waiting.has(op.id) && heldBackMs(op, now) === 0;
  // A room remembers no more.
  const out = outbox.filter((op) => op.room === room && op.n !== undefined).length;
  return outbox.filter(isReady).slice(0, Math.max(0, OPS_IN_FLIGHT_MAX - out));
}

const TOO_LARGE = { field: "A change", limit: CLIENT_FRAME_MAX_BYTES };

/** As with texts of which a byte is six on the line, as control characters are. */
function isTooLarge(op: OutboxRecord): boolean {
  return frameBytes({ ...op, n: Number.MAX_SAFE_INTEGER }, 0) > CLIENT_FRAME_MAX_BYTES;
}

/**
 * One that was done before its number was to be skipped goes again as itself, for the room to answer what became of it
 * ([OP3]): what was written on top of it starts from there, and it is shown until that is here ([OP6]).
 */
export function unskipped(op: NumberedOp): NumberedOp {
  const { skip: _skip, ...again } = op;
  return again;
}

/** Kept with its reason; what its author deleted meanwhile is done with, and what may stand is left to the deletion. */
async function keepUndone(tx: WriteTx, op: OutboxRecord, refusal: Refusal): Promise<void> {
  // Nobody waits for a read position or a synced draft: the next one says it better.
  if (!isCounted(op)) return dropOp(tx, op);
  const outbox = await readOutbox(tx);
  const isDeleted = isDeletedBehind(outbox, op);
  if (isDeleted && op.op === "message.post") storeMerged(tx, takenBack(outbox, refuseOp(tx, op, refusal)));
  else if (isDeleted && refusal.code === "not_found") removeRefused(tx, op, refusal);
  else await keepRefused(tx, op, refusal);
}

/** Whoever follows what becomes of it sees that it wasn't done, though it is done with. */
function removeRefused(tx: WriteTx, op: OutboxRecord, refusal: Refusal): void {
  removeOp(tx, refuseOp(tx, op, refusal));
}

/** A message or a channel that is there is never refused: whatever became of it before, it isn't ([OP14]). */
function settled(refused: OutboxRecord): OutboxRecord {
  const { maybeDelivered: _, ...op } = refused;
  return op.op === "message.post" || op.op === "channel.create" ? op : refused;
}

/** What it is about was refused before it: it waits with that, and what the room says of it now is no reason ([OP9]). */
function needsRefused(all: readonly OutboxRecord[], undone: OutboxRecord): boolean {
  if (undone.op === "message.delete" || !isCounted(undone)) return false;
  const outbox = all.map((other) => (other.id === undone.id ? undone : other));
  const waiting = waits(outbox);
  let needed = waiting.get(undone.id);
  // What it needs may itself wait for what was refused.
  for (let next = needed; next !== undefined; next = waiting.get(next)) needed = next;
  return outbox.some(({ id, refusal }) => id === needed && refusal !== undefined);
}

/** The next edit or read position was set on top of this one, so it starts from where this one stands. */
async function rebase(tx: WriteTx, done: OutboxRecord, { entities, rev }: Ack): Promise<void> {
  // Another's may stand there by now, and nobody here has seen that one.
  const stands = entities.find((entity) => isOutcome(entity, done, rev));
  if (stands === undefined) return;
  const based = (op: OutboxRecord): OutboxRecord => {
    // What it took is given back where it doesn't come about.
    const took = op.took?.map(based);
    if (took?.some((each, i) => each !== op.took?.[i])) return { ...op, took };
    const { args } = op;
    if (!isOpen(op) || !("base" in args) || settingOf(op) !== settingOf(done) || args.base >= stands.rev) return op;
    return { ...op, args: { ...args, base: stands.rev } } as OutboxRecord;
  };
  for (const op of await readOutboxOf(tx, done.room)) {
    const next = based(op);
    if (next !== op) putOp(tx, next);
  }
}

/** Whether it is as the op wanted it. @param rev at which the room did it */
function isOutcome(entity: Entity, { op, args }: OutboxRecord, rev: Ack["rev"]): boolean {
  if (op === "message.edit") {
    const isThere = entity.kind === "message" && entity.id === args.id && !entity.deleted && entity.text === args.text;
    // What it replaced unseen the next one hasn't seen either, and mustn't take out of sight.
    return isThere && entity.replaced === undefined;
  }
  if (op !== "read.set" || entity.kind !== "read") return false;
  // One's own post may have moved it on, with the op itself or since ([SV2]).
  const isMovedOn = entity.seq > args.seq && (entity.rev === rev || entity.setRev !== undefined);
  const isThere = entity.seq === args.seq || isMovedOn;
  const isSame = entity.channel === args.channel && entity.root === args.root && isThere;
  return isSame && (entity.unreadRev !== undefined) === (args.unread === true);
}
