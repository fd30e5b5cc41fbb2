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
    more?: Pick<OutboxRecord, "dueAt" | "took" | "isErased">,
  ) => Promise<void>;
}

export function createWriter(
  store: Store,
  ports: Pick<Ports, "now" | "newId">,
  care: () => Promise<StorageCare>,
): Writer {
  let begun = 0;
  /** The turns of such as failed and are being mended, and of those asked for since: none overtakes what came before it. */
  const mending = new Set<number>();
  return {
    write: async (durability, body, tables = COMMAND_TABLES) => {
      const turn = (begun += 1);
      const how = { tables, durability };
      let fault: unknown;
      const inTurn: typeof body = async (tx) => {
        const value = await body(tx);
        // What was begun before it has failed by now, or never will, for all that add to the outbox write in it, one after
        // the other: it goes behind that one. So does what is begun while that is being mended.
        if (Math.min(...mending) < turn) {
          mending.add(turn);
          throw new Error("behind");
        }
        return value;
      };
      try {
        return ok(await store.write(how, inTurn));
      } catch (error) {
        if (!mending.has(turn)) fault = error;
      }
      try {
        // Till its code is here nobody waits for it.
        const { again } = await care();
        mending.add(turn);
        return await again(fault, () => store.write(how, body));
      } finally {
        mending.delete(turn);
      }
    },
    append: async (tx, room, change, more) => {
      await appendOp(tx, { ...change, ...more, id: ports.newId() as OpId, room, at: ports.now() });
    },
  };
}
