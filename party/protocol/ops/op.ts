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

/** What an op makes of what there is. Pure; stands apart from the schema so that the overlay needn't bring that along. */
export interface Reducer<Args extends v.GenericSchema> {
  /** Everything `apply` may look up, so that a room can load it at once. */
  readonly reads: (args: v.InferOutput<Args>, ctx: OpContext) => readonly EntityKey[];
  /** The entities it makes or changes, whole; none when it is without effect. */
  readonly apply: (args: v.InferOutput<Args>, ctx: OpContext, lookup: Lookup) => readonly Unstamped[];
}

export interface Op<Name extends string, Args extends v.GenericSchema> extends Reducer<Args> {
  readonly name: Name;
  readonly room: "channel" | "workspace";
  readonly args: Args;
}

/* @__NO_SIDE_EFFECTS__ */
export function defineReducer<Args extends v.GenericSchema>(reducer: Reducer<Args>): Reducer<Args> {
  return reducer;
}

/* @__NO_SIDE_EFFECTS__ */
export function defineOp<const Name extends string, Args extends v.GenericSchema>(
  name: Name,
  room: "channel" | "workspace",
  args: Args,
  reducer: Reducer<Args>,
): Op<Name, Args> {
  return { name, room, args, ...reducer };
}
