// From a change the person makes to an op in the outbox: checked by the room's own schema, merged with what is still
// open, stored, shown. One transaction; what it answers is on disk.
import type { Failure } from "#protocol/errors.ts";
import { OPS, type AnyOp } from "#protocol/ops/all.ts";
import { parse } from "#protocol/parse.ts";
import { ok, type Result } from "#protocol/result.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { putOp, readOutbox, removeOp } from "../store/outbox.ts";
import type { WriteTx } from "../store/tx.ts";
import { merge } from "./merge.ts";
import type { Writer } from "./writer.ts";

export interface Submitter {
  readonly check: (change: AnyOp) => Result<AnyOp, Failure>;
  /** Stores a checked change as an op of its own or in one still open ([OP10]). */
  readonly add: (tx: WriteTx, room: RoomName, change: AnyOp) => Promise<void>;
  readonly write: Writer["write"];
  /** Check, add and commit. */
  readonly submit: (room: RoomName, change: AnyOp) => Promise<Result<void, Failure>>;
}

export function createSubmitter({ write, append }: Writer): Submitter {
  const check = (change: AnyOp): Result<AnyOp, Failure> => {
    const args = parse(OPS[change.op].args, change.args);
    return args.ok ? ok({ op: change.op, args: args.value } as AnyOp) : args;
  };

  const add = async (tx: WriteTx, room: RoomName, change: AnyOp): Promise<void> => {
    const merged = merge(await readOutbox(tx), room, change);
    for (const op of merged.removes) removeOp(tx, op);
    if (merged.replaces !== undefined) putOp(tx, { ...merged.replaces.record, ...merged.replaces.by });
    if (merged.appends) await append(tx, room, change);
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
