// What message.post makes of what there is.
import type { LiveMessage, Message } from "../../entities/message.ts";
import type { Unstamped } from "../../entities/entity.ts";
import { REPLY_PEOPLE_MAX, WRITTEN_AHEAD_MAX_MS } from "../../limits.ts";
import { defineReducer, type OpContext } from "../op.ts";
import type { args } from "../message-post.ts";

export const messagePostReducer = defineReducer<typeof args>({
  reads: ({ id, root }) => [
    { kind: "message", id },
    ...(root === undefined ? [] : [{ kind: "message", id: root } as const]),
  ],
  apply: (args, ctx, lookup) => {
    if (lookup("message", args.id)) return [];
    const message: Unstamped<LiveMessage> = {
      kind: "message",
      id: args.id,
      seq: ctx.seq,
      author: ctx.actor,
      createdAt: ctx.at,
      text: args.text,
      ...(ctx.writtenAt === undefined ? {} : { writtenAt: clampWrittenAt(ctx.writtenAt, ctx.at) }),
      ...(args.root === undefined ? {} : { root: args.root }),
      ...(args.toChannel === undefined ? {} : { toChannel: args.toChannel }),
      ...(args.mentions === undefined || args.mentions.length === 0 ? {} : { mentions: args.mentions }),
    };
    const root = args.root === undefined ? undefined : lookup("message", args.root);
    return root === undefined ? [message] : [message, withReply(root, ctx)];
  },
});

/** A clock far ahead of the room's says nothing; one behind it may be true for weeks (product, point 5). */
export function clampWrittenAt(writtenAt: number, at: number): number {
  return writtenAt > at + WRITTEN_AHEAD_MAX_MS ? at : writtenAt;
}

function withReply(root: Message, { actor, at }: OpContext): Unstamped<Message> {
  const before = root.replies ?? { count: 0, lastAt: 0, people: [] };
  const others = before.people.filter((person) => person !== actor);
  const people = [actor, ...others].slice(0, REPLY_PEOPLE_MAX);
  return { ...root, replies: { count: before.count + 1, lastAt: at, people } };
}
