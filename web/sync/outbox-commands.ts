// Ways out for a refused op: again, elsewhere, or away; what waited for it is told.
import { failure, type Failure } from "#protocol/errors.ts";
import type { ChannelId, MessageId, OpId } from "#protocol/ids.ts";
import type { AnyOp, OpArgs } from "#protocol/ops/all.ts";
import { has } from "#protocol/ops/merge-draft.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { isDeletedBehind } from "../store/deleted-behind.ts";
import { dropOp } from "../store/drop-op.ts";
import { needing } from "../store/needs.ts";
import { messageById } from "../store/messages.ts";
import { openAgain } from "../store/open-again.ts";
import { isOpen, readOp, readOutbox, readOutboxOf, removeOp } from "../store/outbox.ts";
import { refuseOp } from "../store/outbox-course.ts";
import { channelOf } from "../store/op-channel.ts";
import { channelRoom } from "../store/rooms.ts";
import type { OutboxRecord, Queued } from "../store/schema.ts";
import type { WriteTx } from "../store/tx.ts";
import { isUnseen, mayStand } from "../store/unseen.ts";
import type { Commands } from "./client.ts";
import { draftStanding, setDraft } from "./draft-commands.ts";
import type { LaterDeps } from "./later-commands.ts";
import { asTyped, withMentions } from "./mentions.ts";
import { peopleSince } from "./message-commands.ts";
import { peopleOf } from "./post-command.ts";
import { putBack, type Unsent } from "./put-back.ts";
import { MESSAGE_TABLES } from "./submit.ts";
import { changesOf, giveBack, storeMerged, takenBack } from "./taken-back.ts";

export type OutboxCommands = Pick<Commands, "retry" | "discard" | "moveTo" | "moveDraft">;

export function outboxCommands({ replica, ports, submitter, writer }: LaterDeps): OutboxCommands {
  const onOp = async (
    id: OpId,
    may: (op: OutboxRecord, outbox: readonly OutboxRecord[]) => boolean,
    body: (tx: WriteTx, op: OutboxRecord) => Promise<void> | void,
  ): Promise<Result<void, Failure>> => {
    const run = async (tx: WriteTx): Promise<boolean> => {
      const op = await readOp(tx, id);
      if (op === undefined || !may(op, await readOutbox(tx))) return false;
      await body(tx, op);
      return true;
    };
    const done = await submitter.write("strict", run, MESSAGE_TABLES);
    if (!done.ok) return done;
    return done.value ? { ok: true, value: undefined } : failed(failure("not_found"));
  };

  const isRefused = (op: OutboxRecord): boolean => op.refusal !== undefined;

  /** What was taken back into the composer of a channel, as far as it stands there. */
  const back = new Map<ChannelId, readonly Unsent[]>();

  /** In the order written. Replies that show in the channel are written in its composer too. */
  const toDraft = async (tx: WriteTx, op: OutboxRecord): Promise<void> => {
    const channel = channelOf(op);
    if (channel === null || op.op !== "message.post") return;
    const { shown } = await draftStanding(tx, replica, { channel });
    const { text: stored } = await lastWords(tx, op);
    const text = asTyped(stored, peopleOf(replica));
    // Without itself, where the transaction before failed. By places, for clocks lie.
    const before = (back.get(channel) ?? []).filter(({ order }) => order !== op.place);
    const next = putBack({ back: before, text: shown }, { text, order: op.place });
    back.set(channel, next.back);
    // As if it had never been sent: emptied and begun anew, it would be another draft than the one on other devices ([OP18]).
    for (const each of await readOutbox(tx)) {
      const isIts = each.op === "draft.set" && each.args.since !== undefined && each.args.since === op.args.draft;
      if (isIts && isUnseen(each)) removeOp(tx, each);
    }
    await setDraft({ replica, ports, writer }, tx, { channel }, next.text);
  };

  /** Takes it out for good, because its words are elsewhere from now on: where it may stand, it is deleted. */
  const takeBack = async (tx: WriteTx, op: OutboxRecord): Promise<void> => {
    if (op.n === undefined) await takeOut(tx, op);
    if (op.op !== "message.post" || (op.n === undefined && !mayStand(op))) return;
    for (const change of changesOf(await readOutboxOf(tx, op.room), op.args.id)) removeOp(tx, change);
    // Which has nothing to give back.
    await writer.append(tx, op.room, { op: "message.delete", args: { id: op.args.id } });
  };

  /** Its words are elsewhere from now on: where they may stand, what this device knows of before is put back. */
  const undoEdit = async (tx: WriteTx, { room, args: { id, text } }: EditRecord): Promise<void> => {
    const held = await messageById(tx, room, id);
    if (held === undefined || held.deleted || held.text === text) return;
    // What one wrote since, or a deletion, sees to it.
    const isOutdated = (await readOutboxOf(tx, room)).some(
      (op) => (op.op === "message.edit" || op.op === "message.delete") && op.args.id === id && op.refusal === undefined,
    );
    if (isOutdated) return;
    const mentions = held.mentions === undefined ? {} : { mentions: held.mentions };
    // Not merged, for by what is known here it would be without effect.
    const args = { id, text: held.text, base: held.rev, ...mentions };
    await writer.append(tx, room, { op: "message.edit", args });
  };

  /** What is typed in the place of a refused text, as it is stored. */
  const mend = (id: OpId, typed: string | undefined): Result<ReturnType<typeof withMentions> | undefined, Failure> => {
    if (typed === undefined) return ok(undefined);
    const refused = replica.outbox().find((op) => op.id === id);
    const before = refused !== undefined && "text" in refused.args ? refused.args.text : undefined;
    const next = withMentions(typed, peopleSince(replica, before));
    const args = { id: ports.newId() as MessageId, text: next.text };
    const checked = submitter.check({ op: "message.post", args });
    return checked.ok ? ok(next) : checked;
  };

  return {
    retry: async (id, typed) => {
      const mended = mend(id, typed);
      if (!mended.ok) return mended;
      const next = mended.value;
      return onOp(id, isRefused, async (tx, op) => {
        if (op.op === "message.delete") {
          const changes = changesOf(await readOutboxOf(tx, op.room), op.args.id);
          for (const change of changes) removeOp(tx, change);
          return void openAgain(tx, { ...op, took: [...(op.took ?? []), ...changes] });
        }
        const isText = op.op === "message.post" || op.op === "message.edit";
        // Not as it was written: as it shows by now, edited since. One may well go back to the words that it had at first.
        if (next === undefined || !isText || (await lastWords(tx, op)).text === next.text)
          return void openAgain(tx, op);
        const mentions = next.mentions.length === 0 ? {} : { mentions: next.mentions };
        const { mentions: _, ...rest } = op.args;
        const args = { ...rest, text: next.text, ...mentions };
        if (mayStand(op)) {
          // It may be done already: the same once more is without effect, and the new words are an edit behind it.
          openAgain(tx, op);
          const base = op.op === "message.edit" ? op.args.base : 0;
          const edit = { id: op.args.id, text: next.text, base, ...mentions };
          return submitter.add(tx, op.room, { op: "message.edit", args: edit });
        }
        // Later edits would go behind it, over the words that are newer.
        for (const edit of await editsOf(tx, op)) removeOp(tx, edit);
        // These words are of now: written then, they would be called late.
        openAgain(tx, { ...op, args, at: ports.now() } as typeof op);
      });
    },

    discard: (id, into) =>
      onOp(
        id,
        (op, outbox) => {
          // What has a number stays, with a deletion behind it; taken back once more, its words would be there twice.
          const isToDraft = into === "draft" && op.op === "message.post";
          return isRefused(op) || (isToDraft ? !isDeletedBehind(outbox, op) : isOpen(op));
        },
        async (tx, op) => {
          // Both or neither: it would be lost where there is no room for the draft, and said twice where it went meanwhile.
          if (into === "draft") await toDraft(tx, op);
          await (into === "draft" ? takeBack(tx, op) : takeOut(tx, op));
        },
      ),

    moveTo: async (id, channel, typed) => {
      const mended = mend(id, typed);
      if (!mended.ok) return mended;
      return onOp(
        id,
        (op) => isRefused(op) && (op.op === "message.post" || op.op === "message.edit"),
        async (tx, op) => {
          if (op.op !== "message.post" && op.op !== "message.edit") return;
          // Edited since, it is moved as it shows.
          const { text, mentions = [] } = mended.value ?? (await lastWords(tx, op));
          const named = mentions.length === 0 ? {} : { mentions };
          // Set on it while it waited, they are of its words.
          const changes = op.op === "message.post" ? changesOf(await readOutboxOf(tx, op.room), op.args.id) : [];
          await takeBack(tx, op);
          if (op.op === "message.edit" && mayStand(op)) await undoEdit(tx, op);
          const there = channelRoom(replica.workspace, channel);
          const moved = ports.newId() as MessageId;
          await submitter.add(tx, there, { op: "message.post", args: { id: moved, text, ...named } });
          for (const mark of changes.filter(isMark))
            await submitter.add(tx, there, { op: mark.op, args: { ...mark.args, id: moved } } as AnyOp);
        },
      );
    },

    moveDraft: async ({ text, ...from }, channel) => {
      const deps = { replica, ports, writer };
      // Both or neither: between two transactions it would stand there twice, or nowhere.
      const moved = await writer.write("strict", async (tx) => {
        const { shown } = await draftStanding(tx, replica, from);
        // Moved or sent meanwhile, here or elsewhere.
        if (!has(shown, text)) return false;
        await setDraft(deps, tx, from, "", text);
        const there = await draftStanding(tx, replica, { channel });
        await setDraft(deps, tx, { channel }, [text, there.shown].filter(Boolean).join("\n"), there.shown);
        return true;
      });
      if (!moved.ok) return moved;
      return moved.value ? ok(undefined) : failed(failure("not_found"));
    },
  };
}

/** Open edits of the same message, in the order written. */
async function editsOf(tx: WriteTx, { id, room, args }: PostRecord | EditRecord): Promise<readonly EditRecord[]> {
  return (await readOutboxOf(tx, room)).filter(
    (op): op is EditRecord => op.op === "message.edit" && op.args.id === args.id && op.id !== id && isOpen(op),
  );
}

type MarkRecord = Queued<"message.react"> | Queued<"message.pin">;

const isMark = (op: OutboxRecord): op is MarkRecord => op.op === "message.react" || op.op === "message.pin";

/** As it shows by now. */
async function lastWords(tx: WriteTx, op: PostRecord | EditRecord): Promise<Omit<OpArgs<"message.edit">, "base">> {
  const edits = (await readOutboxOf(tx, op.room)).filter(
    (other): other is EditRecord =>
      other.op === "message.edit" && other.args.id === op.args.id && other.refusal === undefined,
  );
  return (op.op === "message.post" ? edits.at(-1)?.args : undefined) ?? op.args;
}

type PostRecord = Queued<"message.post">;
type EditRecord = Queued<"message.edit">;

/** Takes it out. What makes no sense without it goes along; texts stay in the Outbox, with the reason ([OP9]). */
async function takeOut(tx: WriteTx, gone: OutboxRecord): Promise<void> {
  const outbox = await readOutbox(tx);
  if (gone.op === "message.post") return storeMerged(tx, takenBack(outbox, gone));
  if (gone.op === "message.delete") await giveBack(tx, gone);
  // It may have been made: what was written in it is the room's to judge ([AU4]).
  if (mayStand(gone)) return removeOp(tx, gone);
  for (const op of needing(outbox, gone)) {
    if (op.op === "message.post") refuseOp(tx, op, NOT_CREATED);
    else await dropOp(tx, op);
  }
  removeOp(tx, gone);
}

const NOT_CREATED = { code: "not_found", detail: "The channel it was written in was not created." } as const;
