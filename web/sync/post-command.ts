// Posting: the one command that must be there from the first moment on, so it knows no schema but the text's own rules.
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { OpArgs } from "#protocol/ops/all.ts";
import { ok } from "#protocol/result.ts";
import { readMessage } from "#protocol/text.ts";
import { messageById } from "../store/messages.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { OutboxRecord, Queued } from "../store/schema.ts";
import type { CommandDeps } from "./commands.ts";
import type { Commands, MayStand } from "./client.ts";
import { setDraft } from "./draft-commands.ts";
import { failing } from "./failing.ts";
import { messageIn, rootIn, type ReplyTarget } from "./reply-target.ts";
import { withMentions, type Named } from "./mentions.ts";

/** Who may be named. */
export function peopleOf(replica: Replica): Named[] {
  return replica
    .list("member")
    .map(({ id, name, deactivatedAt }) => ({ user: id, name, isAway: deactivatedAt !== undefined }));
}

export function postCommand(deps: CommandDeps): Commands["post"] {
  const { store, replica, ports, writer } = deps;

  /** A reply to a reply belongs to the same root. */
  const rootOf = async (channel: ChannelId, target: ReplyTarget): Promise<MessageId> => {
    const answered = messageIn(target);
    const room = channelRoom(replica.workspace, channel);
    const held = await store.read(["messages"], (tx) => messageById(tx, room, answered));
    const isAnswered = (op: OutboxRecord): op is Queued<"message.post"> =>
      op.op === "message.post" && op.args.id === answered;
    const message = held ?? replica.pendingOf(room).find(isAnswered)?.args;
    return message ? (message.root ?? answered) : rootIn(target);
  };

  const post = async (
    channel: ChannelId,
    typed: string,
    id: MessageId,
    draft: MayStand | undefined,
    root?: MessageId,
  ): ReturnType<Commands["post"]> => {
    const { text: named, mentions } = withMentions(typed, peopleOf(replica));
    const text = readMessage(named, mentions);
    if (!text.ok) return failing(text.error.code, text.error.about);
    const written = await writer.write("strict", async (tx) => {
      // Whether there is one is asked here: it may have been on its way to the disk a moment ago. Replies that show in
      // the channel are written in its composer.
      const stamp = await setDraft(deps, tx, { channel }, "", draft, typed);
      const args: OpArgs<"message.post"> = {
        id,
        text: text.value,
        ...(root && { root, toChannel: true }),
        ...(stamp && { draft: stamp }),
        ...(mentions[0] && { mentions }),
      };
      await writer.append(tx, channelRoom(replica.workspace, channel), { op: "message.post", args });
    });
    return written.ok ? ok(id) : written;
  };

  /** A reply is looking for its root: what is sent right behind it must not overtake it. */
  let looking: Promise<MessageId> | null = null;
  // Nothing else waits: a text is on its way to the disk in the turn in which it was sent, for the tab may be closed.
  return async (channel, typed, target, id = ports.newId() as MessageId, draft) => {
    // Before the disk is asked for anything: a leader that hangs may be what keeps it.
    deps.tab.used();
    if (!target) {
      if (looking) await looking;
      return post(channel, typed, id, draft);
    }
    const before = looking;
    const found = (async () => {
      await before;
      // Where it can't be read, storing fails too, and says why.
      return rootOf(channel, target).catch(() => rootIn(target));
    })();
    looking = found;
    const root = await found;
    if (looking === found) looking = null;
    return post(channel, typed, id, draft, root);
  };
}
