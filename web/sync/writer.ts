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
  /** Such as failed and are being mended, and those asked for since: none of these overtakes what came before it. */
  let mendingCount = 0;
  return {
    write: async (durability, body, tables = COMMAND_TABLES) => {
      const commit = () => store.write({ tables, durability }, body);
      let fault: unknown;
      try {
        if (mendingCount === 0) return ok(await commit());
      } catch (error) {
        fault = error;
      }
      // Till its code is here nobody waits for it.
      const { again } = await care();
      mendingCount += 1;
      try {
        return await again(fault, commit);
      } finally {
        mendingCount -= 1;
      }
    },
    append: async (tx, room, change, more) => {
      await appendOp(tx, { ...change, ...more, id: ports.newId() as OpId, room, at: ports.now() });
    },
  };
}
