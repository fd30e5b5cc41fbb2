// Tells the workspace room where the channel stands ([SV2]): posts at once, combined for a second when there are many;
// the rest within half a minute. Says state, so that sending twice is once, and sends until it is taken.
import { BUMP_COMBINE_MS, BUMP_LAZY_MS } from "#protocol/limits.ts";
import type { Bump } from "#protocol/service.ts";
import { backoffMs } from "../engine/backoff.ts";
import type { Stem } from "../engine/log.ts";
import type { Room } from "../engine/room.ts";
import type { ChannelRef } from "./kind.ts";
import type { ChannelOwn } from "./state.ts";

/** Well before the promised time, for two reasons: the call takes some, and a timer keeps the room from hibernating. */
const LAZY_MS = Math.min(BUMP_LAZY_MS, 8_000);

export class BumpSender {
  readonly #room: () => Room<ChannelOwn>;
  #due: { readonly at: number; readonly cancel: () => void } | null = null;
  #sending: Promise<void> | null = null;
  #startedAt = 0;
  #failures = 0;

  constructor(room: () => Room<ChannelOwn>) {
    this.#room = room;
  }

  /** In good time for what is owed. */
  soon({ bump }: ChannelOwn): void {
    if (!bump || this.#sending) return;
    const now = this.#room().host.now();
    const isUrgent = bump.posts.length > 0 || bump.isRestored === true;
    const free =
      this.#failures > 0 ? now + backoffMs(this.#failures) : Math.min(this.#startedAt, now) + BUMP_COMBINE_MS;
    const at = isUrgent ? Math.max(now, free) : Math.max(free, now + LAZY_MS);
    if (this.#due && this.#due.at <= at) return;
    this.#due?.cancel();
    this.#due = null;
    void this.#room().wake.asNet();
    if (at <= now) {
      void this.now();
      return;
    }
    const cancel = this.#room().host.later(at - now, async () => {
      this.#due = null;
      await this.now();
    });
    this.#due = { at, cancel };
  }

  /** Never throws. */
  now(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    this.#startedAt = this.#room().host.now();
    try {
      const sent = await this.#room().alone(async ({ stem, kind, ref }) => bumpOf(ref, stem, kind.own));
      if (!sent) return;
      const { workspace } = sent.ref;
      const { status } = await this.#room().host.call({ party: "workspace", workspace }, "POST", "bump", sent.bump);
      // A workspace that doesn't know the channel (any more) won't want to hear of it later either.
      if (status !== 200 && status !== 404) throw new Error(`Answered ${status}`);
      this.#failures = 0;
      await this.#delivered(sent.bump);
    } catch {
      // Whatever it was, it is owed as before and tried again.
      this.#failures += 1;
      await this.#room().wake.toRetry();
      this.#room().host.later(backoffMs(this.#failures), async () => void this.now());
    }
  }

  /** Sends, and stores that it was delivered, if it was. */
  async nowAndStore(): Promise<void> {
    await this.now();
    await this.#room().alone(async (memory) => {
      if (!memory.kind.owes) await this.#room().commit(memory, { entities: [], own: memory.kind.own });
    });
  }

  /** In memory only: a row for it would cost a fifth of a post, and the receiver passes over what it knows. */
  async #delivered({ top, rev, restored }: Bump): Promise<void> {
    await this.#room().alone(async ({ stem, kind }) => {
      // Restored while this was on its way, the room is at another place of another history: all of it is owed still.
      if (restored?.at === kind.own.restored?.at) {
        const posts = kind.own.bump?.posts.filter(([seq]) => seq > top) ?? [];
        kind.own = { ...kind.own, bump: stem.head === rev ? null : { posts } };
      }
      if (kind.own.bump) this.#room().host.later(0, async () => this.soon(kind.own));
    });
  }
}

function bumpOf(
  ref: unknown,
  { head, epoch }: Pick<Stem<ChannelOwn>, "head" | "epoch">,
  own: ChannelOwn,
): { ref: ChannelRef; bump: Bump } | null {
  if (!own.bump) return null;
  const channel = ref as ChannelRef;
  const { seq, top, lastAt, bump, restored } = own;
  const author = bump.posts.at(-1)?.[1];
  const posts = bump.posts.map(([place, user]) => ({ seq: place, user }));
  return {
    ref: channel,
    bump: {
      channel: channel.channel,
      seq,
      top,
      rev: head,
      at: lastAt,
      epoch,
      ...(restored === undefined ? {} : { restored }),
      ...(author === undefined ? {} : { author }),
      posts,
    },
  };
}
