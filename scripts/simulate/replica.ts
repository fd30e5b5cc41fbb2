/** What really lies in a person's database, read past the client that keeps it. */
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import type { Message } from "#protocol/entities/message.ts";
import { diskBackend, openDatabase } from "../../web/store/database.ts";
import { messageById, messagesBetween } from "../../web/store/messages.ts";
import { readOutbox } from "../../web/store/outbox.ts";
import { channelRoom, readRoom } from "../../web/store/rooms.ts";
import { MIGRATIONS, type OutboxRecord } from "../../web/store/schema.ts";

export interface Replica {
  readonly messages: (channel: ChannelId) => Promise<Message[]>;
  readonly holds: (channel: ChannelId, message: Message["id"]) => Promise<boolean>;
  /** Whether all of a channel up to this rev is held. */
  readonly isUpTo: (channel: ChannelId, head: number) => Promise<boolean>;
  readonly outbox: () => Promise<OutboxRecord[]>;
  readonly close: () => void;
}

/** A second connection to the database, as another tab has one. */
export async function openReplica(databases: IDBFactory, name: string, workspace: WorkspaceId): Promise<Replica> {
  const onClosed = (): void => undefined;
  const backend = diskBackend(await openDatabase(databases, name, MIGRATIONS, { onClosed }));
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
