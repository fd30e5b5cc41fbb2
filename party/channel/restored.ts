// What follows when the room's storage was taken back to an earlier state: the platform brings the old epoch back with
// the rest, so from here on the history gets a name of its own. Everybody says hello again, and the workspace room hears.
import type { Failure } from "#protocol/errors.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import type { Renewal } from "#protocol/service.ts";
import { withDenials } from "../engine/denials.ts";
import type { Memory, Room } from "../engine/room.ts";
import type { ChannelKind } from "./kind.ts";
import type { ChannelOwn } from "./state.ts";

/** Only inside `alone`. A second call with the same epoch changes nothing. */
export async function beginAnew(
  room: Room<ChannelOwn>,
  memory: Memory<ChannelOwn>,
  kind: ChannelKind,
  { epoch }: Renewal,
): Promise<Result<{ head: number; seq: number }, Failure>> {
  if (memory.stem.epoch !== epoch) {
    // Whoever was taken out since is in again by the old policy.
    const known = await kind.birth(memory);
    if (!known.ok) return failed(known.error);
    memory.stem = { ...memory.stem, epoch };
    const restored = { epoch, at: room.host.now(), seq: kind.own.seq };
    // Who was denied since, and told of, isn't owed any more: all renew their tokens, and who may not gets none.
    const before = { at: Math.floor(restored.at / 1_000) - 1, code: "unauthenticated" } as const;
    const deny = withDenials(kind.own.deny, [before], restored.at);
    // What the workspace's room wasn't told of before is owed still: whoever posts next hasn't read it.
    const { posts = [] } = kind.own.bump ?? {};
    await room.commit(memory, {
      entities: [],
      own: { ...kind.own, deny, restored, bump: { posts, isRestored: true } },
      owes: true,
    });
    room.broadcast.restart();
  }
  return ok({ head: memory.stem.head, seq: kind.own.restored?.seq ?? kind.own.seq });
}
