// When a draft was begun, and what is told of it from before the last word on it.
import type { Unstamped } from "#protocol/entities/entity.ts";
import type { Draft } from "#protocol/entities/my-state.ts";
import { myStateId } from "#protocol/entities/keys.ts";
import type { UserId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { RoomStorage } from "../engine/host.ts";
import { entityRow, keyOf } from "../engine/keys.ts";
import type { Meant, OpCall } from "../engine/kind.ts";

/**
 * A draft is emptied where it was sent. Sent from another device before that, and then begun anew, what stands there is another
 * draft: where the message of both is one ([OP18]), the same words would be nowhere.
 */
export async function draftAsMeant(storage: RoomStorage, op: AnyOp, user: UserId): Promise<Meant> {
  if (op.op !== "draft.set" || op.args.text !== "" || op.args.since === undefined) return { op };
  const { channel, root, since } = op.args;
  const key = entityRow(keyOf({ kind: "draft", id: myStateId(user, channel, root) }));
  const standing = (await storage.get([key])).get(key) as Draft | undefined;
  const isAnother = standing !== undefined && !standing.deleted && (standing.since ?? since) !== since;
  return isAnother ? { op, isVoid: true } : { op };
}

/** When each was begun. It says nothing to a person, so that the overlay knows nothing of it. */
export function withSince({ op, ctx, lookup }: OpCall, made: readonly Unstamped[]): readonly Unstamped[] {
  if (op.op !== "draft.set") return made;
  return made.map((entity) => {
    if (entity.kind !== "draft" || entity.deleted) return entity;
    const before = lookup("draft", entity.id);
    // What is left of one whose other part was sent is another.
    const isBegun = before === undefined || before.deleted || op.args.text === "";
    return { ...entity, since: isBegun ? ctx.at : (before.since ?? before.at) };
  });
}
