// Commands about messages: post, edit, delete, react.
import { failure } from "#protocol/errors.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { failed, ok } from "#protocol/result.ts";
import { withNames } from "#protocol/text.ts";
import { messageById } from "../store/messages.ts";
import { draftText } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { CommandDeps } from "./commands.ts";
import type { Commands } from "./client.ts";
import { clearDraft } from "./draft-commands.ts";
import { withMentions, type Named } from "./mentions.ts";

export type MessageCommands = Pick<Commands, "post" | "edit" | "remove" | "react" | "textToEdit">;

export function messageCommands(deps: CommandDeps): MessageCommands {
  const { store, replica, ports, submitter } = deps;
  const roomOf = (channel: ChannelId) => channelRoom(replica.workspace, channel);
  const people = (): Named[] =>
    replica
      .list("member")
      .filter(({ deactivatedAt }) => deactivatedAt === undefined)
      .map(({ id, name }) => ({ user: id, name }));
  const stored = (channel: ChannelId, id: MessageId) =>
    store.read(["messages"], (tx) => messageById(tx, roomOf(channel), id));

  /** A reply to a reply belongs to the same root. */
  const rootOf = async (channel: ChannelId, answered: MessageId): Promise<MessageId> => {
    const held = await stored(channel, answered);
    if (held !== undefined) return held.root ?? answered;
    const waiting = replica
      .pendingOf(roomOf(channel))
      .find((op) => op.op === "message.post" && op.args.id === answered);
    return waiting?.op === "message.post" ? (waiting.args.root ?? answered) : answered;
  };

  return {
    post: async (channel, typed, answered) => {
      const { text, mentions } = withMentions(typed, people());
      const id = ports.newId() as MessageId;
      const reply = answered === undefined ? {} : { root: await rootOf(channel, answered), toChannel: true };
      const named = mentions.length === 0 ? {} : { mentions };
      const checked = submitter.check({ op: "message.post", args: { id, text, ...reply, ...named } });
      if (!checked.ok) return checked;
      const hasDraft = draftText(replica, channel, answered) !== "";
      const written = await submitter.write("strict", async (tx) => {
        await submitter.add(tx, roomOf(channel), checked.value);
        if (hasDraft) await clearDraft(deps, tx, channel, answered);
      });
      return written.ok ? ok(id) : written;
    },

    edit: async (channel, message, typed) => {
      const { text, mentions } = withMentions(typed, people());
      const base = (await stored(channel, message))?.rev ?? 0;
      const named = mentions.length === 0 ? {} : { mentions };
      return submitter.submit(roomOf(channel), { op: "message.edit", args: { id: message, text, base, ...named } });
    },

    remove: (channel, message) => submitter.submit(roomOf(channel), { op: "message.delete", args: { id: message } }),

    react: async (channel, message, emoji, on) => {
      if (replica.get("channel", channel) === undefined) return failed(failure("not_found"));
      return submitter.submit(roomOf(channel), { op: "message.react", args: { id: message, emoji, on } });
    },

    textToEdit: (text) => withNames(text, (user) => replica.get("member", user)?.name),
  };
}
