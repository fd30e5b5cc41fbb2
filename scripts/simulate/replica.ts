/** What really lies in a person's database, read past the client that keeps it. */
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import type { Message } from "#protocol/entities/message.ts";
import { diskBackend, openDatabase } from "../../web/store/database.ts";
import { messageById, messagesBetween } from "../../web/store/messages.ts";
import { readOutbox } from "../../web/store/outbox.ts";
import { channelRoom, readRoom } from "../../web/store/rooms.ts";
import { MIGRATIONS, type OutboxRecord } from "../../web/store/schema.ts";
import type { Backend } from "../../web/store/tx.ts";

export interface Replica {
  readonly messages: (channel: ChannelId) => Promise<Message[]>;
  readonly holds: (channel: ChannelId, message: Message["id"]) => Promise<boolean>;
  /** Whether all of a channel up to this rev is held. */
  readonly isUpTo: (channel: ChannelId, head: number) => Promise<boolean>;
  readonly outbox: () => Promise<OutboxRecord[]>;
  readonly close: () => void;
}

/** Opens the database of the one person who signed in in this profile. */
export async function openReplica(databases: IDBFactory, workspace: WorkspaceId): Promise<Replica> {
  const backend = await openOnly(databases);
  const room = (channel: ChannelId) => channelRoom(workspace, channel);
  return {
    messages: (channel) =>
      backend.read(["messages"], (tx) => messagesBetween(tx, room(channel), 0, Number.MAX_SAFE_INTEGER)),
    holds: (channel, message) =>
      backend.read(["messages"], async (tx) => (await messageById(tx, room(channel), message)) !== undefined),
    isUpTo: (channel, head) =>
      backend.read(["rooms"], async (tx) => {
        const { cursor, ranges, second } = await readRoom(tx, room(channel));
        const isWhole = ranges.length === 1 && (ranges[0]?.from ?? Number.POSITIVE_INFINITY) <= 1 && second === null;
        return cursor !== null && cursor >= head && isWhole;
      }),
    outbox: () => backend.read(["outbox"], readOutbox),
    close: () => backend.close(),
  };
}

async function openOnly(databases: IDBFactory): Promise<Backend> {
  const [database, ...others] = await databases.databases();
  if (database?.name === undefined || others.length > 0) throw new Error("A profile has one person's database");
  const onClosed = (): void => undefined;
  return diskBackend(await openDatabase(databases, database.name, MIGRATIONS, { onClosed }));
}
