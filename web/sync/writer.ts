// Commands' way into the store: one transaction each, and the failures that a person must hear of.
import type { Failure } from "#protocol/errors.ts";
import type { OpId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { ok, type Result } from "#protocol/result.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { appendOp } from "../store/outbox.ts";
import type { OutboxRecord, TableName } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Durability, WriteTx } from "../store/tx.ts";
import type { Ports } from "./ports.ts";
import type { StorageCare } from "./storage-care.ts";

/** What commands may touch. */
export const COMMAND_TABLES: readonly TableName[] = ["outbox", "drafts", "entities"];

export interface Writer {
  /** @param tables where they aren't the commands' own */
  readonly write: <T>(
    durability: Durability,
    body: (tx: WriteTx) => Promise<T>,
    tables?: readonly TableName[],
  ) => Promise<Result<T, Failure>>;
  /** Stores a change as an op of its own, behind all others. */
  readonly append: (
    tx: WriteTx,
    room: RoomName,
    change: AnyOp,
    more?: Pick<OutboxRecord, "dueAt" | "took">,
  ) => Promise<void>;
}

export function createWriter(
  store: Store,
  ports: Pick<Ports, "now" | "newId">,
  care: () => Promise<StorageCare>,
): Writer {
  /** One that failed is tried again when room was made for it: till then none that was written later may overtake it. */
  let last: Promise<unknown> | undefined;
  return {
    write: (durability, body, tables = COMMAND_TABLES) => {
      const commit = () => store.write({ tables, durability }, body);
      const before = last;
      const written = (async () => {
        await before;
        try {
          return ok(await commit());
        } catch (error) {
          return (await care()).again(error, commit);
        }
      })();
      last = written.catch(() => undefined);
      return written;
    },
    append: async (tx, room, change, more) => {
      await appendOp(tx, { ...change, ...more, id: ports.newId() as OpId, room, at: ports.now() });
    },
  };
}
