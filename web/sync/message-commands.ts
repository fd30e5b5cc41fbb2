// Commands about messages that stand there, or may: edit, delete, react, pin, post once more; and whether one does.
import type { Entities, Kind } from "#protocol/entities/entity.ts";
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, MessageId, OpId } from "#protocol/ids.ts";
import type { Lookup } from "#protocol/ops/op.ts";
import { failed, ok } from "#protocol/result.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { mentionsIn } from "#protocol/text.ts";
import { messageById } from "../store/messages.ts";
import { appendOp, isOpen, putOp, readOutbox, readOutboxOf } from "../store/outbox.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { OutboxRecord } from "../store/schema.ts";
import type { ReadTx, WriteTx } from "../store/tx.ts";
import type { Commands, Seen } from "./client.ts";
import type { LaterDeps } from "./later-commands.ts";
import { withMentions, type Named } from "./mentions.ts";
import { peopleOf } from "./post-command.ts";
import { MESSAGE_TABLES } from "./submit.ts";

const DELETED = { code: "not_found", detail: "The message was deleted." } as const;

export type MessageCommands = Pick<
  Commands,
  "isPosted" | "postAgain" | "setApart" | "edit" | "remove" | "react" | "pin"
>;

export function messageCommands({ store, replica, ports, submitter }: LaterDeps): MessageCommands {
  const roomOf = (channel: ChannelId) => channelRoom(replica.workspace, channel);
  return {
    isPosted: async (channel, message) =>
      ok(
        await store.read(["outbox", "messages", "rooms"], (tx) =>
          isStoredAnywhere(tx, roomOf(channel), channel, message),
        ),
      ),
    postAgain: async ({ channel, message, root, text, at }) => {
      const mentions = mentionsIn(text);
      const named = mentions.length === 0 ? {} : { mentions };
      const args = { id: message, text, ...(root && { root, toChannel: true }), ...named };
      const checked = submitter.check({ op: "message.post", args });
      if (!checked.ok) return checked;
      const room = roomOf(channel);
      const add = async (tx: WriteTx): Promise<void> => {
        if (await isStored(tx, room, message)) return;
        // What becomes of it from here on goes behind it, for merged into it it would be lost where it was delivered.
        await appendOp(tx, { ...checked.value, id: ports.newId() as OpId, room, at, maybeDelivered: true });
      };
      return submitter.write("strict", add, MESSAGE_TABLES);
    },
    setApart: (channel, message) =>
      submitter.write("relaxed", async (tx) => {
        for (const op of await readOutboxOf(tx, roomOf(channel))) {
          if (op.op !== "message.post" || op.args.id !== message || op.args.draft === undefined || !isOpen(op))
            continue;
          const { draft: _, ...args } = op.args;
          putOp(tx, { ...op, args });
        }
      }),
    edit: async (channel, message, typed, seen) => {
      const room = roomOf(channel);
      const { text, mentions } = withMentions(typed, peopleSince(replica, seen?.text));
      const named = mentions.length === 0 ? {} : { mentions };
      const checked = submitter.check({ op: "message.edit", args: { id: message, text, base: 0, ...named } });
      if (!checked.ok || checked.value.op !== "message.edit") return checked.ok ? ok(undefined) : checked;
      const { args } = checked.value;
      // Read where it is stored: the answer to an edit before it may come between, and must not look like another's.
      const add = async (tx: WriteTx): Promise<boolean> => {
        const held = await messageById(tx, room, message);
        if (held?.deleted === true || (await readOutboxOf(tx, room)).some((op) => deletes(op, message))) return false;
        const base = baseOf(held, seen);
        await submitter.add(tx, room, { op: "message.edit", args: { ...args, base } }, only(held));
        return true;
      };
      const added = await submitter.write("strict", add, MESSAGE_TABLES);
      if (!added.ok) return added;
      // Without effect it would be none, and the words would be gone.
      return added.value ? ok(undefined) : failed(DELETED);
    },
    remove: (channel, message) => submitter.submit(roomOf(channel), { op: "message.delete", args: { id: message } }),
    pin: (channel, message, on) => submitter.submit(roomOf(channel), { op: "message.pin", args: { id: message, on } }),
    react: (channel, message, emoji, on) =>
      submitter.submit(roomOf(channel), { op: "message.react", args: { id: message, emoji, on } }),
  };
}

/** In one look at both: an answered post leaves the outbox in the transaction that puts the message. */
async function isStored(tx: ReadTx, room: RoomName, message: MessageId): Promise<boolean> {
  const waiting = (await readOutboxOf(tx, room)).some((op) => op.op === "message.post" && op.args.id === message);
  return waiting || (await messageById(tx, room, message)) !== undefined;
}

/** In whichever workspace: what a tab left behind doesn't say where that was. */
async function isStoredAnywhere(tx: ReadTx, here: RoomName, channel: ChannelId, message: MessageId): Promise<boolean> {
  if (await isStored(tx, here, message)) return true;
  if ((await readOutbox(tx)).some((op) => op.op === "message.post" && op.args.id === message)) return true;
  for (const { name } of await tx.all("rooms")) {
    const ref = parseRoomName(name);
    if (ref?.party === "channel" && ref.channel === channel && (await messageById(tx, name, message))) return true;
  }
  return false;
}

/** Whom a text names already is meant there still, though another is called so too, or they were deactivated since. */
export function peopleSince(replica: Replica, before = ""): Named[] {
  const named = mentionsIn(before);
  const known = replica.list("member").filter(({ id }) => named.includes(id));
  return [...known.map(({ id, name }) => ({ user: id, name })), ...peopleOf(replica)];
}

function deletes({ op, args, refusal }: OutboxRecord, message: MessageId): boolean {
  return op === "message.delete" && args.id === message && refusal === undefined;
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
