// Unsent texts and read positions: stored at once, and held in the outbox a while so that the next one replaces them.
import { myStateId } from "#protocol/entities/keys.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { DRAFT_EVERY_MS, DRAFT_MAX_CHARS, READ_EVERY_MS } from "#protocol/limits.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { isJoined, readSeq } from "../store/channels-view.ts";
import { putDraft, removeDraft } from "../store/drafts.ts";
import { isOpen, putOp, readOutbox, removeOp } from "../store/outbox.ts";
import { draftText } from "../store/replica.ts";
import { workspaceRoom } from "../store/rooms.ts";
import type { WriteTx } from "../store/tx.ts";
import type { Commands } from "./client.ts";
import type { CommandDeps } from "./commands.ts";

export type DraftCommands = Pick<Commands, "setDraft" | "markRead" | "markUnread"> & {
  /** Lets go of what is held back: the channel or the page is being left ([OP17]). */
  readonly flush: () => Promise<void>;
};

export function draftCommands(deps: CommandDeps): DraftCommands {
  const { replica, ports, submitter } = deps;
  const directory = workspaceRoom(replica.workspace);
  /** Channel → when a read position last went out from this tab. */
  const readAt = new Map<ChannelId, number>();

  const quietly = (work: Promise<unknown>): void => void work.catch(ports.report);

  const setRead = (channel: ChannelId, seq: number, unread: boolean): void => {
    const base = replica.confirmed("read", myStateId(replica.me, channel))?.rev ?? 0;
    const args = { channel, seq, base, ...(unread ? { unread } : {}) };
    const dueAt = Math.max(ports.now(), unread ? 0 : (readAt.get(channel) ?? 0) + READ_EVERY_MS);
    readAt.set(channel, dueAt);
    quietly(submitter.write("relaxed", (tx) => submitter.add(tx, directory, { op: "read.set", args }, dueAt)));
  };

  return {
    markRead: (channel, seq) => {
      if (!replica.isLoaded() || !isJoined(replica, channel) || seq <= readSeq(replica, channel)) return;
      setRead(channel, seq, false);
    },
    markUnread: (channel, seq) => setRead(channel, Math.max(0, seq - 1), true),
    setDraft: (channel, text, root) => {
      if (draftText(replica, channel, root) === text) return;
      quietly(submitter.write("relaxed", (tx) => setDraft(deps, tx, channel, root, text)));
    },
    flush: async () => {
      const now = ports.now();
      if (!replica.outbox().some(({ dueAt = 0 }) => dueAt > now)) return;
      await submitter.write("relaxed", async (tx) => {
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
  deps: CommandDeps,
  tx: WriteTx,
  channel: ChannelId,
  root: MessageId | undefined,
): Promise<void> {
  return setDraft(deps, tx, channel, root, "");
}

async function setDraft(
  { replica, ports, submitter }: CommandDeps,
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
  const change: AnyOp = { op: "draft.set", args };
  const own = (await readOutbox(tx)).filter(
    (op) => op.room === directory && op.op === "draft.set" && op.args.channel === channel && op.args.root === root,
  );
  const known = replica.confirmed("draft", myStateId(me, channel, root));
  const isKnown = (known !== undefined && !known.deleted) || own.some((op) => !isOpen(op));
  // Written and taken away before anybody else knew of it.
  if (text === "" && !isKnown) return own.forEach((op) => removeOp(tx, op));
  await submitter.add(tx, directory, change, ports.now() + DRAFT_EVERY_MS);
}
