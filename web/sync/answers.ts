// Stores the course of an op: its number, its answer, or that it must be numbered anew. Each in one transaction that
// checks who leads, so that two tabs never number at once; a number is durable before it is sent ([OP7], [OP10]).
import type { Failure } from "#protocol/errors.ts";
import type { Ack, Refuse } from "#protocol/frames/answer.ts";
import type { DeviceId, UserId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { deviceOf, newDevice } from "../store/devices.ts";
import {
  heldBackMs,
  isCounted,
  isOpen,
  numbered,
  openAgain,
  putOp,
  readOutbox,
  readOutboxOf,
  refuseOp,
  removeOp,
} from "../store/outbox.ts";
import { putDraft } from "../store/drafts.ts";
import { waits } from "../store/needs.ts";
import type { DeviceRecord, OutboxRecord } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Durability, WriteTx } from "../store/tx.ts";
import type { Verdict } from "./catch-up.ts";
import { closeRoom, dropReplica } from "./drop-channel.ts";
import { FRAME_TABLES, storeAck } from "./replica-store.ts";

export type NumberedOp = OutboxRecord & { readonly n: number };

export interface Answers {
  readonly device: () => Promise<DeviceRecord>;
  readonly queue: () => Promise<readonly NumberedOp[]>;
  readonly number: (limit: number, now: number) => Promise<readonly NumberedOp[]>;
  /** Null where the op was answered before. */
  readonly acked: (ack: Ack) => Promise<Verdict | null>;
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

  return {
    device: () => write((tx) => deviceOf(tx, room, newId)),
    queue: () => store.read(["outbox"], async (tx) => numbered(await readOutboxOf(tx, room))),
    number: (limit, now) =>
      write(async (tx) => {
        const outbox = await readOutbox(tx);
        const waiting = waits(outbox);
        const isReady = (op: OutboxRecord): boolean =>
          op.room === room && isOpen(op) && !waiting.has(op.id) && heldBackMs(op, now) === 0;
        const ready = outbox.filter(isReady).slice(0, limit);
        if (ready.length === 0) return [];
        const device = await deviceOf(tx, room, newId);
        tx.put("devices", { ...device, next: device.next + ready.length });
        return ready.map((op, i) => putOp(tx, { ...op, n: device.next + i }) as NumberedOp);
      }),
    // What is done needs no flush of its own: where the machine dies before, the op is sent again, and the room answers it
    // again. A refusal is held only until its end is known here.
    acked: (ack) =>
      write(async (tx) => {
        const op = await opOf(tx, ack.n);
        const verdict = await storeAck(tx, room, me, ack);
        if (op === undefined) return ack.from === undefined ? null : verdict;
        // An ack without effect to an op that was to be skipped: its number is used up, it itself was never done.
        if (op.skip !== undefined && ack.rev === null) refuseOp(tx, op, op.skip);
        else {
          removeOp(tx, op);
          await rebase(tx, op, ack);
        }
        return verdict;
      }, "relaxed"),
    refused: ({ n, code, detail }) =>
      write(async (tx) => {
        const op = await opOf(tx, n);
        if (op === undefined) return;
        // Nobody waits for a read position or a synced draft: the next one says it better. What isn't there is deleted.
        if (isCounted(op) && !(op.op === "message.delete" && code === "not_found")) refuseOp(tx, op, { code, detail });
        else {
          removeOp(tx, op);
          keepDraft(tx, op);
        }
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

/** The next edit of the same message was written on top of this one, so it starts from where this one stands. */
async function rebase(tx: WriteTx, done: OutboxRecord, { entities }: Ack): Promise<void> {
  if (done.op !== "message.edit") return;
  const { id, text } = done.args;
  const stands = entities.find((entity) => entity.kind === "message" && entity.id === id);
  // Another edit may stand there by now, and nobody here has seen that one.
  if (stands?.kind !== "message" || stands.deleted || stands.text !== text) return;
  for (const op of await readOutboxOf(tx, done.room)) {
    if (op.op === "message.edit" && op.args.id === id && isOpen(op))
      putOp(tx, { ...op, args: { ...op.args, base: Math.max(op.args.base, stands.rev) } });
  }
}

/** A text that can't be synced, its channel being out of sight, is kept on this device ([RV5]). */
function keepDraft(tx: WriteTx, { op, args, at, room }: OutboxRecord): void {
  const workspace = parseRoomName(room)?.workspace;
  if (op !== "draft.set" || args.text === "" || workspace === undefined) return;
  putDraft(tx, { workspace, channel: args.channel, root: args.root ?? "", text: args.text, at });
}
