// From a change the person makes to an op in the outbox: checked, merged with what is still open, stored, shown. One
// transaction; what it answers is on disk.
import { failure, type Failure } from "#protocol/errors.ts";
import type { OpId } from "#protocol/ids.ts";
import { OPS, type AnyOp } from "#protocol/ops/all.ts";
import { parse } from "#protocol/parse.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { appendOp, putOp, readOutbox, removeOp } from "../store/outbox.ts";
import type { TableName } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Durability, WriteTx } from "../store/tx.ts";
import { merge } from "./merge.ts";
import type { Ports } from "./ports.ts";

/** What commands may touch. */
const COMMAND_TABLES: readonly TableName[] = ["outbox", "drafts", "entities"];

export interface Submitter {
  /** Checks a change by the room's own schema. */
  readonly check: (change: AnyOp) => Result<AnyOp, Failure>;
  /** Stores a change as an op of its own or in one still open. */
  readonly add: (tx: WriteTx, room: RoomName, change: AnyOp, dueAt?: number) => Promise<void>;
  readonly write: <T>(durability: Durability, body: (tx: WriteTx) => Promise<T>) => Promise<Result<T, Failure>>;
  /** Check, add and commit. */
  readonly submit: (room: RoomName, change: AnyOp) => Promise<Result<void, Failure>>;
}

export function createSubmitter(store: Store, ports: Pick<Ports, "now" | "newId" | "report">): Submitter {
  const check = (change: AnyOp): Result<AnyOp, Failure> => {
    const args = parse(OPS[change.op].args, change.args);
    return args.ok ? ok({ op: change.op, args: args.value } as AnyOp) : args;
  };

  const add = async (tx: WriteTx, room: RoomName, change: AnyOp, dueAt?: number): Promise<void> => {
    // A new message stands for itself; it isn't worth reading a long outbox for.
    const outbox = change.op === "message.post" ? [] : await readOutbox(tx);
    const merged = merge(outbox, room, change);
    for (const op of merged.removes) removeOp(tx, op);
    if (merged.replaces !== undefined) {
      const { record, by } = merged.replaces;
      putOp(tx, { ...record, ...by });
    }
    if (!merged.appends) return;
    const due = dueAt === undefined ? {} : { dueAt };
    await appendOp(tx, { ...change, ...due, id: ports.newId() as OpId, room, at: ports.now() });
  };

  const write = async <T>(durability: Durability, body: (tx: WriteTx) => Promise<T>): Promise<Result<T, Failure>> => {
    try {
      return ok(await store.write({ tables: COMMAND_TABLES, durability }, body));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      if (error.name === "QuotaExceededError") return failed(failure("storage_full"));
      // Closed under us by a newer build, or by the browser itself: nothing typed was taken, and the person is told.
      ports.report(error);
      return failed(failure(error.name === "InvalidStateError" ? "upgrade_required" : "storage_blocked"));
    }
  };

  return {
    check,
    add,
    write,
    submit: async (room, change) => {
      const checked = check(change);
      if (!checked.ok) return checked;
      return write("strict", (tx) => add(tx, room, checked.value));
    },
  };
}
