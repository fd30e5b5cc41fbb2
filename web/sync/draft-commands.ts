// Unsent texts: stored at once, and held in the outbox a while so that the next one replaces them. Read positions are
// held likewise; see read-commands.ts.
import type { LiveDraft } from "#protocol/entities/my-state.ts";
import { myStateId } from "#protocol/entities/keys.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { DRAFT_EVERY_MS, DRAFT_MAX_CHARS } from "#protocol/limits.ts";
import { has, mergeDraft, without } from "#protocol/ops/merge-draft.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { hiding, putDraft, removeDraft } from "../store/drafts.ts";
import { readEntity } from "../store/entities.ts";
import { isOpen, putOp, readOutbox, removeOp } from "../store/outbox.ts";
import type { Replica } from "../store/replica.ts";
import { workspaceRoom } from "../store/rooms.ts";
import type { OutboxRecord, Queued } from "../store/schema.ts";
import type { ReadTx, WriteTx } from "../store/tx.ts";
import { isUnseen } from "../store/unseen.ts";
import type { Commands, MayStand } from "./client.ts";
import type { CommandDeps } from "./commands.ts";

export type DraftCommands = Pick<Commands, "setDraft"> & {
  /** Lets go of what is held back: the channel or the page is being left ([OP17]). */
  readonly flush: () => Promise<void>;
};

export function draftCommands(deps: CommandDeps): DraftCommands {
  const { replica, ports, writer } = deps;

  return {
    // Whatever the replica shows: what is on its way to the disk may change it.
    setDraft: (channel, text, root, over) =>
      writer.write("relaxed", (tx) => setDraft(deps, tx, { channel, ...(root && { root }) }, text, over)),
    flush: async () => {
      const now = ports.now();
      const isHeld = ({ dueAt = 0 }: OutboxRecord): boolean => dueAt > now;
      if (!replica.outbox().some(isHeld)) return;
      await writer.write("relaxed", async (tx) => {
        for (const op of await readOutbox(tx)) {
          if (isHeld(op) && isOpen(op)) putOp(tx, { ...op, dueAt: now });
        }
      });
    },
  };
}

type DraftDeps = Pick<CommandDeps, "replica" | "ports" | "writer">;

/**
 * As a person's typing would, in the transaction of something else.
 *
 * @param over what of the writer's stood there as far as it saw, or may have; all that stands, where left out
 * @param sent the text that became a message, of which nothing is to stand there: on the person's other devices it would be
 * sent again, so that is told at once; else the next text may take its place for a while
 * @returns of the draft that is sent just as the room knows it, and wasn't begun anew since, its `since` ([OP18])
 */
export async function setDraft(
  { replica, ports, writer }: DraftDeps,
  tx: WriteTx,
  composer: Composer,
  typed: string,
  over?: MayStand,
  sent?: string,
): Promise<number | false | "" | undefined> {
  const { workspace } = replica;
  const { known, room, since, shown, open, under } = await draftStanding(tx, replica, composer);
  const text = writtenOver(shown, over, typed, sent);
  // Of one that is emptied by hand nobody need know which it was: what is typed next takes the place of that op.
  const emptied = !text && sent && since;
  const key = { workspace, channel: composer.channel, root: composer.root ?? ("" as const) };
  if (text.length > DRAFT_MAX_CHARS) putDraft(tx, { ...key, text, over: under, at: ports.now() });
  else {
    removeDraft(tx, key);
    // Two long ones together are more than a frame bears.
    const isLong = room.length + text.length > DRAFT_MAX_CHARS;
    const args = { ...composer, text, ...(emptied && { since: emptied }), ...(!isLong && { over: room }) };
    const dueAt = ports.now() + (sent ? 0 : DRAFT_EVERY_MS);
    const more = { dueAt: Math.min(open?.dueAt ?? dueAt, dueAt), isErased: open?.isErased || !text };
    // Typed and taken back before anybody else knew of it.
    if (text === known && text === room && !(open?.isErased && args.over)) {
      if (open) removeOp(tx, open);
    } else if (open) putOp(tx, { ...open, args, ...more });
    else await writer.append(tx, workspaceRoom(workspace), { op: "draft.set", args }, more);
  }
  return known === sent && !open?.isErased && emptied;
}

/**
 * In the place of the latest that stands; what stands of the earlier ones besides goes. Of what was sent as it stood there,
 * for certain where it is the only one, and was typed on in another tab by now, the rest stays.
 */
export function writtenOver(shown: string, over: MayStand | undefined, typed: string, sent?: string): string {
  const all = [over ?? shown].flat();
  const standing = all.filter((each) => has(shown, each)).toSorted((one, other) => one.length - other.length);
  const latest = standing.at(-1) ?? all.at(-1) ?? "";
  if (sent === latest && all.length === 1 && !has(shown, sent))
    return `\n${shown}`.replace(`\n${sent}`, "\n").trimStart();
  const rest = mergeDraft(shown, latest, "");
  const left = without(
    rest,
    all.filter((each) => each !== latest),
  );
  return left === rest ? mergeDraft(shown, latest, typed) : mergeDraft(left, "", typed);
}

/**
 * The draft of a composer: `known` to the room once it answered what was sent, with its `since` where it has, and
 * `shown` here; `room` is what the room is taken to have, and `under` what of that is `shown`, or grown into it.
 * Asked of the disk: the replica may not have heard yet that the last op was answered.
 */
export async function draftStanding(
  tx: ReadTx,
  { workspace, me }: Pick<Replica, "workspace" | "me">,
  composer: Composer,
): Promise<Standing> {
  const { channel, root } = composer;
  const directory = workspaceRoom(workspace);
  const [{ open, sent }, row, confirmed] = await Promise.all([
    queued(tx, directory, "draft.set", composer),
    tx.get("drafts", [workspace, channel, root ?? ""]),
    readEntity(tx, directory, { kind: "draft", id: myStateId(me, channel, root) }),
  ]);
  // A tombstone has no words.
  const entity = confirmed?.entity as Partial<LiveDraft> | undefined;
  const grow = (standing: string, { args }: Queued<"draft.set">): string => mergeDraft(standing, args.over, args.text);
  const known = sent.reduce(grow, entity?.text ?? "");
  const due = open ? grow(known, open) : known;
  const kept = hiding(due, row);
  // An older build, and a text that is too long to name it, say nothing of what they grew out of.
  const under = kept ? (kept.over ?? known) : due;
  return {
    known,
    // Who has just signed in again doesn't hold yet what the room has: the op that waits says what it had. What is hidden
    // by what is kept here, nobody has seen.
    room: ((kept || !confirmed) && open?.args.over) || (kept ? under : known),
    since: sent[0] ? undefined : entity?.since,
    shown: kept?.text ?? due,
    open,
    under,
  };
}

/**
 * The op of a composer's or channel's own that may still change, being the last, and those before it. One that may have been
 * delivered before it lost its number is of those: its id stands for what it says ([OP10]).
 */
export async function queued<Name extends "read.set" | "draft.set">(
  tx: ReadTx,
  room: RoomName,
  name: Name,
  { channel, root }: Composer,
): Promise<{ readonly open: Queued<Name> | undefined; readonly sent: readonly Queued<Name>[] }> {
  const own = ((await readOutbox(tx)) as Queued<Name>[]).filter(
    ({ room: of, op, args }) => of === room && op === name && args.channel === channel && args.root === root,
  );
  // What is typed behind a text that was sent is another draft, though it say the same ([OP18]).
  const open = own.findLast((op) => isUnseen(op) && !(op.args as { since?: number }).since);
  return { open, sent: own.filter((op) => op !== open) };
}

interface Standing {
  readonly known: string;
  /** What the room is taken to have. */
  readonly room: string;
  readonly since: number | undefined;
  readonly shown: string;
  readonly under: string;
  readonly open: Queued<"draft.set"> | undefined;
}

interface Composer {
  readonly channel: ChannelId;
  readonly root?: MessageId;
}
