// What an op is: arguments, the entities it looks at, and a pure reducer of what it makes. The room and the overlay run
// the same reducer; whether one may is the room's business and stands elsewhere.
import type * as v from "valibot";
import type { Entities, EntityKey, Kind, Unstamped } from "../entities/entity.ts";
import type { UserId } from "../ids.ts";

export interface OpContext {
  /** Who does it. */
  readonly actor: UserId;
  /** The room's clock; in the overlay the device's. Epoch ms. */
  readonly at: number;
  /** The device's clock when it was written, if that says something `at` doesn't. */
  readonly writtenAt?: number;
  /** The rev it will be stamped with; 0 in the overlay. */
  readonly rev: number;
  /** The place a new message gets; 0 in the overlay. */
  readonly seq: number;
}

/** The present state of what `reads` named; undefined where there is none. */
export type Lookup = <K extends Kind>(kind: K, id: string) => Entities[K] | undefined;

export interface Op<Name extends string, Args extends v.GenericSchema> {
  readonly name: Name;
  readonly room: "channel" | "workspace";
  readonly args: Args;
  /** Everything `apply` may look up, so that a room can load it at once. */
  readonly reads: (args: v.InferOutput<Args>, ctx: OpContext) => readonly EntityKey[];
  /** The entities it makes or changes, whole; none when it is without effect. */
  readonly apply: (args: v.InferOutput<Args>, ctx: OpContext, lookup: Lookup) => readonly Unstamped[];
}

export function defineOp<const Name extends string, Args extends v.GenericSchema>(op: Op<Name, Args>): Op<Name, Args> {
  return op;
}
