// Commands about messages that stand there: edit, delete, react.
import type { ChannelId } from "#protocol/ids.ts";
import { messageById } from "../store/messages.ts";
import { channelRoom } from "../store/rooms.ts";
import type { Commands } from "./client.ts";
import type { LaterDeps } from "./later-commands.ts";
import { withMentions } from "./mentions.ts";
import { peopleOf } from "./post-command.ts";

export type MessageCommands = Pick<Commands, "edit" | "remove" | "react">;

export function messageCommands({ store, replica, submitter }: LaterDeps): MessageCommands {
  const roomOf = (channel: ChannelId) => channelRoom(replica.workspace, channel);
  return {
    edit: async (channel, message, typed) => {
      const { text, mentions } = withMentions(typed, peopleOf(replica));
      const held = await store.read(["messages"], (tx) => messageById(tx, roomOf(channel), message));
      const named = mentions.length === 0 ? {} : { mentions };
      const args = { id: message, text, base: held?.rev ?? 0, ...named };
      return submitter.submit(roomOf(channel), { op: "message.edit", args });
    },
    remove: (channel, message) => submitter.submit(roomOf(channel), { op: "message.delete", args: { id: message } }),
    react: (channel, message, emoji, on) =>
      submitter.submit(roomOf(channel), { op: "message.react", args: { id: message, emoji, on } }),
  };
}
