// Where each channel stands, as its room last told ([SV2]): no entities, with a counter of their own. A post moves its
// author's read position; the move rests in the head's row until somebody looks: it is stamped when its author says
// hello or does something here, or lazily where another device of theirs is listening. A post costs the workspace one row.
import type { Entities, Unstamped } from "#protocol/entities/entity.ts";
import type { Read } from "#protocol/entities/my-state.ts";
import { myStateId } from "#protocol/entities/keys.ts";
import type { Heads } from "#protocol/frames/welcome.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { headAfter, headOf } from "#protocol/heads.ts";
import { BUMP_POSTS_MAX, HEADS_PAGE_MAX, STAMPS_MAX } from "#protocol/limits.ts";
import type { Bump } from "#protocol/service.ts";
import { bytesOf } from "../engine/catch-up.ts";
import type { RoomStorage } from "../engine/host.ts";
import { entityRow, keyOf } from "../engine/keys.ts";
import { headRow, type HeadRow, type Move } from "./state.ts";

export class HeadBook {
  readonly #heads: Map<ChannelId, HeadRow>;
  #counter: number;

  private constructor(heads: Map<ChannelId, HeadRow>) {
    this.#heads = heads;
    this.#counter = Math.max(0, ...[...heads.values()].map(({ counter }) => counter));
  }

  static async load(storage: RoomStorage): Promise<HeadBook> {
    const prefix = headRow("" as ChannelId);
    const rows = await storage.list({ prefix });
    const book = new HeadBook(
      new Map([...rows].map(([key, row]) => [key.slice(prefix.length) as ChannelId, row as HeadRow])),
    );
    await book.#forgetOvertaken(storage);
    return book;
  }

  /** A row forgets a move only when it is next written; what the person did since counts more. */
  async #forgetOvertaken(storage: RoomStorage): Promise<void> {
    const moves = this.#moves();
    const rows = await storage.get(moves.map(({ channel, user }) => readRow(channel, user)));
    for (const { channel, user, seq, rev } of moves) {
      const read = rows.get(readRow(channel, user)) as Entities["read"] | undefined;
      if (read !== undefined && (read.seq >= seq || read.rev > rev)) this.settled(channel, user);
    }
  }

  #moves(): (Move & { readonly channel: ChannelId })[] {
    return [...this.#heads].flatMap(([channel, head]) => head.moves.map((move) => ({ channel, ...move })));
  }

  get(channel: ChannelId): HeadRow | undefined {
    return this.#heads.get(channel);
  }

  /** After it was stored. */
  set(channel: ChannelId, row: HeadRow): void {
    this.#heads.set(channel, row);
    this.#counter = Math.max(this.#counter, row.counter);
  }

  get nextCounter(): number {
    return this.#counter + 1;
  }

  /** Those changed since the counter, by their counters; `sees` leaves out what isn't for the viewer's eyes. */
  since(counter: number, sees: (channel: ChannelId) => boolean, maxBytes: number): Heads {
    const changed = [...this.#heads]
      .filter(([channel, row]) => row.counter > counter && sees(channel))
      .toSorted(([, one], [, other]) => one.counter - other.counter);
    const list: Heads["list"] = {};
    let bytes = 0;
    let [count, reached] = [0, counter];
    for (const [channel, row] of changed) {
      const head = headOf(row);
      bytes += bytesOf({ [channel]: head });
      // One at least, whatever its size: the next is asked for behind it.
      if (count >= HEADS_PAGE_MAX || (count > 0 && bytes > maxBytes)) return { list, counter: reached, more: true };
      list[channel] = head;
      [count, reached] = [count + 1, row.counter];
    }
    return { list, counter: this.#counter, more: false };
  }

  /** The row after a bump; null when it says nothing new. @param rev the room's head */
  async after(storage: RoomStorage, bump: Bump, rev: number): Promise<HeadRow | null> {
    const before = this.#heads.get(bump.channel);
    const head = isPast(bump, before) ? null : headAfter(bump, before);
    if (head === null) return null;
    const left = this.isRestoredBy(bump) ? leftOf(before, bump.restored?.seq ?? 0) : before;
    const moves = await movesAfter(storage, bump, left, rev);
    return { ...head, counter: this.nextCounter, moves };
  }

  /** Whether it is the first word of another history than the one that is known. */
  isRestoredBy({ channel, restored }: Bump): boolean {
    return restored !== undefined && restored.at > (this.#heads.get(channel)?.restored?.at ?? 0);
  }

  moveOf(channel: ChannelId, user: UserId): Move | undefined {
    return this.#heads.get(channel)?.moves.find((move) => move.user === user);
  }

  /** Forgets a move in memory: it was stamped, or overtaken. Its row forgets it when next written. */
  settled(channel: ChannelId, user: UserId): void {
    const head = this.#heads.get(channel);
    if (head) this.#heads.set(channel, { ...head, moves: head.moves.filter((move) => move.user !== user) });
  }

  get hasMoves(): boolean {
    return [...this.#heads.values()].some(({ moves }) => moves.length > 0);
  }

  /** The read positions that moves make, of one person or of all. At most one step's worth. */
  due(user?: UserId, max = STAMPS_MAX): Unstamped<Read>[] {
    const moves = this.#moves().filter((move) => user === undefined || move.user === user);
    return moves.slice(0, max).map(({ channel, user: of, seq, setRev }) => ({
      kind: "read",
      id: myStateId(of, channel),
      user: of,
      channel,
      seq,
      ...(setRev === undefined ? {} : { setRev }),
    }));
  }
}

/**
 * Told before the room was restored, and here after it: since then it says that it was. What names no history, of a room
 * of version 9 or before, goes by its rev.
 */
function isPast({ restored, epoch }: Bump, before: HeadRow | undefined): boolean {
  return before?.restored !== undefined && restored === undefined && epoch !== undefined;
}

/** What of a channel's head holds in the history that goes on from an earlier place. */
function leftOf(before: HeadRow | undefined, seq: number): Pick<HeadRow, "top" | "moves"> | undefined {
  return before && { top: Math.min(before.top, seq), moves: before.moves.filter((move) => move.seq <= seq) };
}

function readRow(channel: ChannelId, user: UserId): string {
  return entityRow(keyOf({ kind: "read", id: myStateId(user, channel) }));
}

/** What a device bases an unread mark on that hasn't heard of what moved the position since ([OP17]). */
export function setRevOf(read: Read | undefined): number {
  return read?.setRev ?? read?.rev ?? 0;
}

/** Whoever stood at the post before stands at their own post now; who had not read that far stays where they are. */
async function movesAfter(
  storage: RoomStorage,
  bump: Bump,
  before: Pick<HeadRow, "top" | "moves"> | undefined,
  rev: number,
): Promise<readonly Move[]> {
  const moves = new Map((before?.moves ?? []).map((move) => [move.user, move]));
  const posts = bump.posts.filter(({ seq }) => seq > (before?.top ?? 0));
  const rows = await storage.get([...new Set(posts.map(({ user }) => readRow(bump.channel, user)))]);
  let top = before?.top ?? 0;
  // Others' may have gone before the first of so many that none of them is known already.
  const first = posts.length >= BUMP_POSTS_MAX ? posts[0]?.seq : undefined;
  for (const { seq, user } of posts) {
    const read = rows.get(readRow(bump.channel, user)) as Entities["read"] | undefined;
    const stands = Math.max(read?.seq ?? 0, moves.get(user)?.seq ?? 0);
    // Whoever has read past their own post already, as a late bump finds them, stays there.
    const isAhead = seq > (read?.seq ?? 0);
    if (seq !== first && stands >= top && isAhead && read?.unreadRev === undefined)
      moves.set(user, { user, seq, rev, setRev: setRevOf(read) });
    top = seq;
  }
  return [...moves.values()];
}
