// Unsent texts and read positions: stored at once, and held in the outbox a while so that the next one replaces them.
import type { Entity } from "#protocol/entities/entity.ts";
import { myStateId } from "#protocol/entities/keys.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { DRAFT_EVERY_MS, DRAFT_MAX_CHARS, READ_EVERY_MS } from "#protocol/limits.ts";
import { ok } from "#protocol/result.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { isJoined, readSeq } from "../store/channels-view.ts";
import { putDraft, removeDraft } from "../store/drafts.ts";
import { readEntity } from "../store/entities.ts";
import { isOpen, putOp, readOutbox, removeOp } from "../store/outbox.ts";
import { draftText } from "../store/replica.ts";
import { workspaceRoom } from "../store/rooms.ts";
import type { AnyOp, OpArgs } from "#protocol/ops/all.ts";
import type { OutboxRecord } from "../store/schema.ts";
import type { WriteTx } from "../store/tx.ts";
import type { Commands } from "./client.ts";
import type { CommandDeps } from "./commands.ts";

export type DraftCommands = Pick<Commands, "setDraft" | "markRead" | "markUnread"> & {
  /** Lets go of what is held back: the channel or the page is being left ([OP17]). */
  readonly flush: () => Promise<void>;
};

export function draftCommands(deps: CommandDeps): DraftCommands {
  const { replica, ports, writer } = deps;
  const directory = workspaceRoom(replica.workspace);
  /** Texts on their way to the disk, which the replica doesn't know of yet. */
  let storing = 0;
  /** Channel → when a read position last went out from this tab. */
  const readAt = new Map<ChannelId, number>();

  const quietly = (work: Promise<unknown>): void => void work.catch(ports.report);

  const setRead = (channel: ChannelId, seq: number, unread: boolean): void => {
    const id = myStateId(replica.me, channel);
    const base = replica.confirmed("read", id)?.rev ?? 0;
    const args = { channel, seq, base, ...(unread ? { unread } : {}) };
    const now = ports.now();
    const waitMs = unread ? 0 : (readAt.get(channel) ?? 0) + READ_EVERY_MS - now;
    // A clock that was turned back makes nobody wait longer.
    const dueAt = now + Math.min(READ_EVERY_MS, Math.max(0, waitMs));
    quietly(
      writer.write("relaxed", async (tx) => {
        const { open, sent } = await queued(tx, directory, "read.set", args);
        const known = sent?.args ?? replica.confirmed("read", id);
        // Marked unread, and read again before anybody else knew of it.
        if (!unread && seq <= (known?.seq ?? 0)) takeAway(tx, open);
        else if (open === undefined) {
          await writer.append(tx, directory, { op: "read.set", args }, dueAt);
          readAt.set(channel, dueAt);
        }
        // In its place, and no later than it was due; another tab may have read on.
        else if (unread || open.args.unread || seq > open.args.seq) putOp(tx, { ...open, op: "read.set", args });
      }),
    );
  };

  return {
    markRead: (channel, seq) => {
      if (!replica.isLoaded() || !isJoined(replica, channel) || seq <= readSeq(replica, channel)) return;
      setRead(channel, seq, false);
    },
    markUnread: (channel, seq) => setRead(channel, Math.max(0, seq - 1), true),
    setDraft: async (channel, text, root) => {
      if (storing === 0 && draftText(replica, channel, root) === text) return ok(undefined);
      storing += 1;
      try {
        return await writer.write("relaxed", (tx) => setDraft(deps, tx, channel, root, text));
      } finally {
        storing -= 1;
      }
    },
    flush: async () => {
      const now = ports.now();
      if (!replica.outbox().some(({ dueAt = 0 }) => dueAt > now)) return;
      await writer.write("relaxed", async (tx) => {
        for (const op of await readOutbox(tx)) {
          const { dueAt, ...rest } = op;
          if (dueAt !== undefined && dueAt > now && isOpen(op)) putOp(tx, rest);
        }
      });
    },
  };
}

/** Takes the text away, in the transaction that stored it as a message. */
export function clearDraft(
  deps: Pick<CommandDeps, "replica" | "ports" | "writer">,
  tx: WriteTx,
  channel: ChannelId,
  root: MessageId | undefined,
): Promise<void> {
  return setDraft(deps, tx, channel, root, "");
}

/** As a person's typing would, in the transaction of something else. */
export async function setDraft(
  { replica, ports, writer }: Pick<CommandDeps, "replica" | "ports" | "writer">,
  tx: WriteTx,
  channel: ChannelId,
  root: MessageId | undefined,
  text: string,
): Promise<void> {
  const { workspace, me } = replica;
  const directory = workspaceRoom(workspace);
  const key = { workspace, channel, root: root ?? ("" as const) };
  if (text.length > DRAFT_MAX_CHARS) return putDraft(tx, { ...key, text, at: ports.now() });
  removeDraft(tx, key);
  const args = { channel, text, ...(root === undefined ? {} : { root }) };
  const { open, sent } = await queued(tx, directory, "draft.set", args);
  // Asked of the disk: the replica may not have heard yet that the last one was answered.
  const confirmed = await readEntity(tx, directory, { kind: "draft", id: myStateId(me, channel, root) });
  const known = sent?.args.text ?? draftOf(confirmed?.entity);
  // Typed and taken back before anybody else knew of it.
  if (text === known) takeAway(tx, open);
  else if (open !== undefined) putOp(tx, { ...open, op: "draft.set", args });
  else await writer.append(tx, directory, { op: "draft.set", args }, ports.now() + DRAFT_EVERY_MS);
}

export function draftOf(entity: Entity | undefined): string {
  return entity?.kind === "draft" && !entity.deleted ? entity.text : "";
}

/** The op of a composer's or channel's own that may still change, and the last one that may not. */
export async function queued<Name extends "read.set" | "draft.set">(
  tx: WriteTx,
  room: RoomName,
  name: Name,
  { channel, root }: Composer,
): Promise<{ readonly open: Queued<Name> | undefined; readonly sent: Queued<Name> | undefined }> {
  const own = (await readOutbox(tx)).filter((op): op is Queued<Name> => {
    return (
      op.room === room && op.op === name && "channel" in op.args && op.args.channel === channel && op.args.root === root
    );
  });
  return { open: own.find(isOpen), sent: own.findLast((op) => !isOpen(op)) };
}

type Queued<Name extends AnyOp["op"]> = OutboxRecord & { readonly op: Name; readonly args: OpArgs<Name> };

function takeAway(tx: WriteTx, op: OutboxRecord | undefined): void {
  if (op !== undefined) removeOp(tx, op);
}

interface Composer {
  readonly channel: ChannelId;
  readonly root?: MessageId;
}
