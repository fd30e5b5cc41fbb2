// Commands about messages that stand there: edit, delete, react, pin; and whether one does.
import type { Entities, Kind } from "#protocol/entities/entity.ts";
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { Lookup } from "#protocol/ops/op.ts";
import { ok } from "#protocol/result.ts";
import { messageById } from "../store/messages.ts";
import { readOutboxOf } from "../store/outbox.ts";
import { channelRoom } from "../store/rooms.ts";
import type { WriteTx } from "../store/tx.ts";
import type { Commands, Seen } from "./client.ts";
import type { LaterDeps } from "./later-commands.ts";
import { withMentions } from "./mentions.ts";
import { peopleOf } from "./post-command.ts";
import { COMMAND_TABLES } from "./writer.ts";

export type MessageCommands = Pick<Commands, "isPosted" | "edit" | "remove" | "react" | "pin">;

export function messageCommands({ store, replica, submitter }: LaterDeps): MessageCommands {
  const roomOf = (channel: ChannelId) => channelRoom(replica.workspace, channel);
  return {
    // In one look at both: an answered post leaves the outbox in the transaction that puts the message.
    isPosted: async (channel, message) =>
      ok(
        await store.read(["outbox", "messages"], async (tx) => {
          const waiting = (await readOutboxOf(tx, roomOf(channel))).some(
            (op) => op.op === "message.post" && op.args.id === message,
          );
          return waiting || (await messageById(tx, roomOf(channel), message)) !== undefined;
        }),
      ),
    edit: async (channel, message, typed, seen) => {
      const room = roomOf(channel);
      const { text, mentions } = withMentions(typed, peopleOf(replica));
      const named = mentions.length === 0 ? {} : { mentions };
      const checked = submitter.check({ op: "message.edit", args: { id: message, text, base: 0, ...named } });
      if (!checked.ok || checked.value.op !== "message.edit") return checked.ok ? ok(undefined) : checked;
      const { args } = checked.value;
      // Read where it is stored: the answer to an edit before it may come between, and must not look like another's.
      const add = async (tx: WriteTx): Promise<void> => {
        const held = await messageById(tx, room, message);
        const base = baseOf(held, seen);
        await submitter.add(tx, room, { op: "message.edit", args: { ...args, base } }, only(held));
      };
      return submitter.write("strict", add, [...COMMAND_TABLES, "messages"]);
    },
    remove: (channel, message) => submitter.submit(roomOf(channel), { op: "message.delete", args: { id: message } }),
    pin: (channel, message, on) => submitter.submit(roomOf(channel), { op: "message.pin", args: { id: message, on } }),
    react: (channel, message, emoji, on) =>
      submitter.submit(roomOf(channel), { op: "message.react", args: { id: message, emoji, on } }),
  };
}

/** What the person began from still stands, or it is what they saw then. */
function baseOf(held: Message | undefined, seen: Seen | undefined): number {
  const hasSeenHeld = seen === undefined || (held !== undefined && !held.deleted && held.text === seen.text);
  return hasSeenHeld ? (held?.rev ?? 0) : seen.rev;
}

function only(message: Message | undefined): Lookup {
  return <K extends Kind>(kind: K, id: string) =>
    kind === "message" && message?.id === id ? (message as Entities[K]) : undefined;
}
