// From a change the person makes to an op in the outbox: checked by the room's own schema, merged with what is still
// open, stored, shown. One transaction; what it answers is on disk.
import type { Entities, Kind } from "#protocol/entities/entity.ts";
import type { Message } from "#protocol/entities/message.ts";
import type { Failure } from "#protocol/errors.ts";
import type { MessageId } from "#protocol/ids.ts";
import { OPS, type AnyOp } from "#protocol/ops/all.ts";
import type { Lookup } from "#protocol/ops/op.ts";
import { parse } from "#protocol/parse.ts";
import { ok, type Result } from "#protocol/result.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { messageById } from "../store/messages.ts";
import { readOutbox } from "../store/outbox.ts";
import type { Replica } from "../store/replica.ts";
import { workspaceRoom } from "../store/rooms.ts";
import type { Store } from "../store/store.ts";
import type { WriteTx } from "../store/tx.ts";
import { merge, readsOf } from "./merge.ts";
import { storeMerged } from "./taken-back.ts";
import type { Writer } from "./writer.ts";

export interface Submitter {
  readonly check: (change: AnyOp) => Result<AnyOp, Failure>;
  /**
   * Stores a checked change as an op of its own or in one still open ([OP10]).
   * @param confirmed what is known of it; nothing where it is left out, and then it is never taken for void
   */
  readonly add: (tx: WriteTx, room: RoomName, change: AnyOp, confirmed?: Lookup) => Promise<void>;
  readonly write: Writer["write"];
  /** Check, add and commit. */
  readonly submit: (room: RoomName, change: AnyOp) => Promise<Result<void, Failure>>;
}

interface SubmitterDeps {
  readonly store: Store;
  readonly replica: Replica;
  readonly writer: Writer;
}

const NOTHING_KNOWN: Lookup = () => undefined;

export function createSubmitter({ store, replica, writer }: SubmitterDeps): Submitter {
  const check = (change: AnyOp): Result<AnyOp, Failure> => {
    const args = parse(OPS[change.op].args, change.args);
    return args.ok ? ok({ op: change.op, args: args.value } as AnyOp) : args;
  };

  const add: Submitter["add"] = async (tx, room, change, confirmed = NOTHING_KNOWN) => {
    const merged = merge({ outbox: await readOutbox(tx), room, me: replica.me, confirmed }, change);
    storeMerged(tx, merged);
    if (merged.appends !== null) await writer.append(tx, room, merged.appends, merged.took && { took: merged.took });
  };

  /** The directory is in memory; of messages those that the change is about are read. */
  const known = async (room: RoomName, change: AnyOp): Promise<Lookup> => {
    if (room === workspaceRoom(replica.workspace)) return replica.confirmed;
    const ids = readsOf(change, replica.me).flatMap(({ kind, id }) => (kind === "message" ? [id as MessageId] : []));
    const held = await store.read(["messages"], (tx) => Promise.all(ids.map((id) => messageById(tx, room, id))));
    const messages = new Map(held.flatMap((message): [string, Message][] => (message ? [[message.id, message]] : [])));
    return <K extends Kind>(kind: K, id: string) =>
      kind === "message" ? (messages.get(id) as Entities[K] | undefined) : undefined;
  };

  return {
    check,
    add,
    write: writer.write,
    submit: async (room, change) => {
      const checked = check(change);
      if (!checked.ok) return checked;
      const confirmed = await known(room, checked.value);
      return writer.write("strict", (tx) => add(tx, room, checked.value, confirmed));
    },
  };
}
