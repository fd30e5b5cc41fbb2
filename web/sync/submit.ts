// From a change the person makes to an op in the outbox: checked by the room's own schema, merged with what is still
// open, stored, shown. One transaction; what it answers is on disk.
import type { Entities, Entity, Kind } from "#protocol/entities/entity.ts";
import type { Failure } from "#protocol/errors.ts";
import type { MessageId } from "#protocol/ids.ts";
import { OPS, type AnyOp } from "#protocol/ops/all.ts";
import type { Lookup } from "#protocol/ops/op.ts";
import { parse } from "#protocol/parse.ts";
import { ok, type Result } from "#protocol/result.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { isComing } from "../store/channels-view.ts";
import { readEntity } from "../store/entities.ts";
import { messageById } from "../store/messages.ts";
import { readOutbox } from "../store/outbox.ts";
import { entityKey } from "../store/overlay.ts";
import type { Replica } from "../store/replica.ts";
import { workspaceRoom } from "../store/rooms.ts";
import type { TableName } from "../store/schema.ts";
import type { WriteTx } from "../store/tx.ts";
import { merge, readsOf } from "./merge.ts";
import { storeMerged } from "./taken-back.ts";
import { COMMAND_TABLES, type Writer } from "./writer.ts";

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
  readonly replica: Replica;
  readonly writer: Writer;
}

/** Of a command that has to know what is held of a message. */
export const MESSAGE_TABLES: readonly TableName[] = [...COMMAND_TABLES, "messages"];

const NOTHING_KNOWN: Lookup = () => undefined;

export function createSubmitter({ replica, writer }: SubmitterDeps): Submitter {
  const check = (change: AnyOp): Result<AnyOp, Failure> => {
    const args = parse(OPS[change.op].args, change.args);
    return args.ok ? ok({ op: change.op, args: args.value } as AnyOp) : args;
  };

  const isDirectory = (room: RoomName): boolean => room === workspaceRoom(replica.workspace);

  const add: Submitter["add"] = async (tx, room, change, confirmed = NOTHING_KNOWN) => {
    const around = { room, me: replica.me, confirmed, isComing: isDirectory(room) && isComing(replica) };
    const merged = merge({ ...around, outbox: await readOutbox(tx) }, change);
    storeMerged(tx, merged);
    if (merged.appends !== null) await writer.append(tx, room, merged.appends, merged.took && { took: merged.took });
  };

  /**
   * Of what the change is about, as the disk has it: what stood in memory a moment ago may not know of an answer that took
   * an op out of the outbox since, and a change that takes that back would pass for one without effect.
   */
  const known = async (tx: WriteTx, room: RoomName, change: AnyOp): Promise<Lookup> => {
    const read = new Map<string, Entity | undefined>();
    for (const key of readsOf(change, replica.me)) {
      if (isDirectory(room)) read.set(entityKey(key.kind, key.id), (await readEntity(tx, room, key))?.entity);
      else if (key.kind === "message")
        read.set(entityKey(key.kind, key.id), await messageById(tx, room, key.id as MessageId));
    }
    return <K extends Kind>(kind: K, id: string) => {
      const name = entityKey(kind, id);
      return read.has(name) ? (read.get(name) as Entities[K] | undefined) : replica.confirmed(kind, id);
    };
  };

  return {
    check,
    add,
    write: writer.write,
    submit: async (room, change) => {
      const checked = check(change);
      if (!checked.ok) return checked;
      const store = async (tx: WriteTx): Promise<void> =>
        add(tx, room, checked.value, await known(tx, room, checked.value));
      return writer.write("strict", store, MESSAGE_TABLES);
    },
  };
}
