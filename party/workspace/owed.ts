// What channel rooms are yet to hear ([SV1], [SV3]): kept with its cause, sent at once, and again until it is taken.
import type { ChannelId } from "#protocol/ids.ts";
import { policyApplied, type LineOwed, type Policy } from "#protocol/service.ts";
import { parse } from "#protocol/parse.ts";
import { backoffMs } from "../engine/backoff.ts";
import { isSameDenial, together } from "../engine/denials.ts";
import { bytesOf } from "../engine/catch-up.ts";
import type { RoomStorage } from "../engine/host.ts";
import type { Memory, Room } from "../engine/room.ts";
import type { Directory } from "./directory.ts";
import type { Notice } from "./effects.ts";
import { NOTHING_DUE, owedRow, type Due, type OwedRow, type WorkspaceOwn } from "./state.ts";

/** Lines in one call: with its other rows a channel's write stays within what a host takes at once. */
const LINES_AT_ONCE = 40;
/** Kept for a room that doesn't answer: with what else is owed, well within what a row may hold. */
const LINES_MAX_BYTES = 48 * 1_024;
/** More changes than this are sent as the whole list. */
const CHANGED_MAX = 500;
const CALLS_AT_ONCE = 8;
/** Past the second of the denial, so that a token issued after it is in a later one. */
const AFTER_SECOND_MS = 1_050;

const UNTOLD: OwedRow = { confirmed: null, due: null };

/** What is owed to each channel room, as stored. */
export class OwedBook {
  readonly #rows: Map<ChannelId, OwedRow>;

  private constructor(rows: Map<ChannelId, OwedRow>) {
    this.#rows = rows;
  }

  static async load(storage: RoomStorage): Promise<OwedBook> {
    const prefix = owedRow("" as ChannelId);
    const rows = await storage.list({ prefix });
    return new OwedBook(
      new Map([...rows].map(([key, row]) => [key.slice(prefix.length) as ChannelId, row as OwedRow])),
    );
  }

  get(channel: ChannelId): OwedRow {
    return this.#rows.get(channel) ?? UNTOLD;
  }

  set(channel: ChannelId, row: OwedRow): void {
    this.#rows.set(channel, row);
  }

  /**
   * The row once a notice is owed as well.
   * @param rev the rev of its cause
   * @param now of this room: a denial may be dated by a clock that is ahead
   */
  with(channel: ChannelId, notice: Notice, rev: number, now: number): OwedRow {
    const { confirmed, due } = this.get(channel);
    const before = due ?? NOTHING_DUE;
    const changed = [...before.changed, ...notice.changed.map((user) => [rev, user] as const)];
    const notBefore = Math.max(
      before.notBefore,
      ...notice.deny.map(({ at }) => Math.min(at * 1_000, now) + AFTER_SECOND_MS),
    );
    const isTooMany = changed.length > CHANGED_MAX;
    return {
      confirmed: isTooMany ? null : confirmed,
      due: {
        rev: Math.max(before.rev, rev),
        changed: isTooMany ? [] : changed,
        lines: newestThatFit([...before.lines, ...notice.lines]),
        deny: together([...before.deny, ...notice.deny]),
        notBefore,
      },
    };
  }

  get isDue(): boolean {
    return [...this.#rows.values()].some(({ due }) => due !== null);
  }

  /** Channels with something due, and when. */
  *due(): Generator<readonly [ChannelId, number]> {
    for (const [channel, { due }] of this.#rows) if (due) yield [channel, due.notBefore];
  }
}

/** A room that can't be reached for long misses the oldest lines rather than making every op on the channel fail. */
function newestThatFit(lines: readonly LineOwed[]): readonly LineOwed[] {
  let bytes = 0;
  const first = lines.findLastIndex((line) => {
    bytes += bytesOf(line);
    return bytes > LINES_MAX_BYTES;
  });
  return lines.slice(first + 1);
}

/** What the channel's room is to know, as things stand now. */
export function policyFor(
  { stem }: Pick<Memory<WorkspaceOwn>, "stem">,
  directory: Directory,
  channel: ChannelId,
  owed: OwedRow,
): Policy | null {
  const found = directory.channels.get(channel);
  const { workspace } = directory;
  if (!found || !workspace) return null;
  const due = owed.due ?? NOTHING_DUE;
  return {
    rev: stem.head,
    epoch: stem.epoch,
    access: found.access,
    name: found.name,
    deleted: false,
    members: found.access === "public" ? null : membersFor(directory, channel, owed.confirmed, due),
    archived: found.archivedAt !== undefined,
    posting: found.posting,
    retentionDays: found.retentionDays ?? workspace.policy.retentionDays,
    editWindowMs: workspace.policy.editWindowMs,
    deny: [...due.deny],
    lines: due.lines.slice(0, LINES_AT_ONCE),
  };
}

function membersFor(
  directory: Directory,
  channel: ChannelId,
  confirmed: number | null,
  { changed }: Due,
): Policy["members"] {
  const people = directory.membershipsIn(channel);
  if (confirmed === null) return { whole: [...people.keys()] };
  const users = [...new Set(changed.map(([, user]) => user))];
  return {
    since: confirmed,
    add: users.filter((user) => people.has(user)),
    remove: users.filter((user) => !people.has(user)),
  };
}

/** What is still owed after the channel's room took a policy. */
function remaining({ confirmed, due }: OwedRow, sent: Policy): OwedRow {
  if (!due) return { confirmed: sent.rev, due };
  const lines = due.lines.filter(({ id }) => !sent.lines.some((line) => line.id === id));
  const deny = due.deny.filter((one) => !sent.deny.some((other) => isSameDenial(one, other)));
  const changed = due.changed.filter(([rev]) => rev > sent.rev);
  const isSettled = due.rev <= sent.rev && lines.length === 0 && deny.length === 0;
  // Too many changed meanwhile for a list of them: only the whole tells.
  const isUntold = confirmed === null && due.rev > sent.rev;
  return { confirmed: isUntold ? null : sent.rev, due: isSettled ? null : { ...due, changed, lines, deny } };
}

/** What the sender needs of the kind that the room has in memory at the moment. */
export interface OwedSource {
  readonly directory: Directory;
  readonly owed: OwedBook;
}

export class PolicySender {
  readonly #room: () => Room<WorkspaceOwn>;
  readonly #source: (memory: Memory<WorkspaceOwn>) => OwedSource;
  readonly #sending = new Map<ChannelId, Promise<void>>();
  readonly #failures = new Map<ChannelId, number>();

  constructor(room: () => Room<WorkspaceOwn>, source: (memory: Memory<WorkspaceOwn>) => OwedSource) {
    this.#room = room;
    this.#source = source;
  }

  /** Sends what is due and not on its way; what may not go yet is looked at again then. */
  soon(owed: OwedBook): void {
    const now = this.#room().host.now();
    for (const [channel, notBefore] of owed.due()) {
      if (this.#sending.has(channel) || this.#failures.has(channel)) continue;
      void this.#room().wake.asNet();
      if (this.#sending.size >= CALLS_AT_ONCE) return;
      // Further ahead only where the clock was set back since.
      if (notBefore > now && notBefore - now <= AFTER_SECOND_MS) this.#later(notBefore - now);
      else void this.#send(channel);
    }
  }

  /** From the alarm: tries everything once, failed before or not. */
  async now(owed: OwedBook): Promise<void> {
    this.#failures.clear();
    this.soon(owed);
    await Promise.all(this.#sending.values());
  }

  #later(delayMs: number): void {
    this.#room().host.later(delayMs, () => this.#room().alone(async (memory) => this.soon(this.#source(memory).owed)));
  }

  #send(channel: ChannelId): Promise<void> {
    const sending = this.#tryOnce(channel);
    this.#sending.set(channel, sending);
    return sending;
  }

  async #tryOnce(channel: ChannelId): Promise<void> {
    try {
      await this.#try(channel);
      this.#failures.delete(channel);
    } catch {
      // Whatever it was, it is owed as before and tried again.
      await this.#failed(channel);
    } finally {
      this.#sending.delete(channel);
      this.#later(0);
    }
  }

  async #failed(channel: ChannelId): Promise<void> {
    const failures = (this.#failures.get(channel) ?? 0) + 1;
    this.#failures.set(channel, failures);
    await this.#room().wake.toRetry();
    this.#room().host.later(backoffMs(failures), async () => {
      if (!this.#sending.has(channel) && this.#failures.has(channel)) await this.#send(channel);
    });
  }

  async #try(channel: ChannelId): Promise<void> {
    const policy = await this.#room().alone(async (memory) => {
      const { directory, owed } = this.#source(memory);
      const row = owed.get(channel);
      return row.due ? policyFor(memory, directory, channel, row) : null;
    });
    if (!policy) return;
    const { ref } = await this.#room().alone(async (memory) => memory);
    const answer = await this.#room().host.call(
      { party: "channel", workspace: ref.workspace, channel },
      "POST",
      "policy",
      policy,
    );
    const applied = answer.status === 200 ? parse(policyApplied, answer.body) : null;
    if (!applied?.ok) throw new Error(`Answered ${answer.status}`);
    await this.#room().alone(async (memory) => {
      const { owed } = this.#source(memory);
      const before = owed.get(channel);
      const after = applied.value.needsWhole ? { ...before, confirmed: null } : remaining(before, policy);
      await this.#room().commit(memory, { entities: [], rows: { [owedRow(channel)]: after } });
      owed.set(channel, after);
    });
  }
}
