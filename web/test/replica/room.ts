// A channel's room in its barest form, for the model of a replica: what was said, and the frames that tell of it.
import type { LiveMessage, Message } from "#protocol/entities/message.ts";
import type { Changes } from "#protocol/frames/changes.ts";
import type { History } from "#protocol/frames/history.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import type { Welcome } from "#protocol/frames/welcome.ts";
import type { MessageId, UserId } from "#protocol/ids.ts";

export const ME = "olga" as UserId;
const OTHER = "mara" as UserId;

/** Few, so that short scripts leave gaps. */
const NEWEST_COUNT = 4;
/** Revs; who is further behind gets the newest page. */
const FAR_BEHIND = 8;

type Told = Partial<Pick<LiveMessage, "author" | "text" | "mentions" | "system" | "root" | "toChannel">>;

interface Backup {
  readonly head: number;
  readonly messages: ReadonlyMap<number, Message>;
}

export class ModelRoom {
  epoch = "e0";
  head = 0;
  #messages = new Map<number, Message>();
  #backup: Backup | null = null;
  #restoredCount = 0;

  /** By place. */
  messages(): Message[] {
    return [...this.#messages.values()];
  }

  at(seq: number): Message | undefined {
    return this.#messages.get(seq);
  }

  post(more: Told = {}): LiveMessage {
    this.head += 1;
    return this.#add(more);
  }

  /** Two who were taken in at once: two lines of one rev. */
  takeIn(): void {
    this.head += 1;
    for (let i = 0; i < 2; i++) this.#add({ system: { type: "joined", user: OTHER }, text: "" });
  }

  /** The post that it answers comes with it, at the same rev. */
  reply(to: Message, author = OTHER): void {
    const { rev } = this.post({ root: to.id, toChannel: true, author });
    this.#messages.set(to.seq, { ...to, rev, replies: { count: 1, lastAt: 1, people: [] } });
  }

  edit(message: LiveMessage, more: Told): LiveMessage {
    this.head += 1;
    const next = { ...message, text: `edited at ${this.head}`, ...more, rev: this.head };
    this.#messages.set(next.seq, next);
    return next;
  }

  delete({ kind, id, seq, author, createdAt }: LiveMessage): void {
    this.head += 1;
    const keys = { kind, id, seq, author, createdAt };
    this.#messages.set(seq, { ...keys, rev: this.head, deleted: true, deletedAt: 1 });
  }

  backUp(): void {
    this.#backup = { head: this.head, messages: new Map(this.#messages) };
  }

  /** Its revs and places are given anew from there on, in a history of another name. */
  restore(): boolean {
    if (this.#backup === null) return false;
    this.head = this.#backup.head;
    this.#messages = new Map(this.#backup.messages);
    this.#restoredCount += 1;
    this.epoch = `e${this.#restoredCount}`;
    return true;
  }

  welcome(): Welcome {
    const you = { user: ME, role: "member" as const, can: ["read" as const] };
    const { head, epoch } = this;
    return { t: "welcome", head, epoch, lastN: 0, floor: 1, you, now: 1, expiresAt: 2, present: [] };
  }

  /** Whether who comes with this gets all that it missed. */
  continues(cursor: number, epoch: string | null): boolean {
    return epoch === this.epoch && cursor <= this.head && this.head - cursor <= FAR_BEHIND;
  }

  snapshot(): Snapshot {
    const entities = this.messages().slice(-NEWEST_COUNT);
    const oldest = entities[0]?.seq ?? null;
    return { t: "snapshot", head: this.head, epoch: this.epoch, entities, oldest, reset: true };
  }

  /** @param revs at most */
  changes(from: number, revs = Infinity): Changes {
    const to = Math.min(this.head, from + revs);
    const entities = this.messages().filter(({ rev }) => rev > from && rev <= to);
    return { t: "changes", from, to, more: to < this.head, entities };
  }

  before(seq: number, count: number): History {
    return this.#page(
      this.messages()
        .filter((message) => message.seq < seq)
        .slice(-count),
    );
  }

  around(seq: number): History {
    return this.#page(this.messages().filter((message) => Math.abs(message.seq - seq) <= 1));
  }

  newest(): History {
    return this.#page(this.messages().slice(-NEWEST_COUNT));
  }

  #page(messages: Message[]): History {
    const more = (messages[0]?.seq ?? 0) > 1;
    return { t: "history", messages, more, rev: this.head, epoch: this.epoch, floor: 1 };
  }

  /** An id is never given again, though its place is in another history. */
  #add(more: Told): LiveMessage {
    const seq = this.#messages.size + 1;
    const keys = {
      kind: "message" as const,
      id: `${this.epoch}-${seq}-${this.head}` as MessageId,
      rev: this.head,
      seq,
    };
    const message: LiveMessage = { ...keys, author: OTHER, createdAt: seq, text: `${seq} at ${this.head}`, ...more };
    this.#messages.set(seq, message);
    return message;
  }
}
