// Which channels somebody was given a token for in the last hour: there an older token must be denied when their role
// ends ([AU12]). A row or few a person, written again only when they would soon be too old.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { TOKEN_LEEWAY_S, TOKEN_LIFETIME_S } from "#protocol/limits.ts";
import type { Denial } from "#protocol/service.ts";
import type { Host } from "../engine/host.ts";
import { GRANTS_ROWS, grantsOf, grantsRow, type GrantsRow } from "./state.ts";

const KEPT_MS = (TOKEN_LIFETIME_S + TOKEN_LEEWAY_S) * 1_000;
/** A grant noted so long ago is noted anew; until then it covers the tokens given since. */
const NOTED_MS = KEPT_MS / 2;
/** Channels in a row: some 55 kB, of the 128 KiB that a row may take. */
const CHANNELS_IN_ROW = 1_000;

export class Grants {
  readonly #host: Pick<Host, "now" | "storage">;
  /** When, by channel; of all rows of a person together. */
  readonly #all = new Map<UserId, GrantsRow>();

  constructor(host: Pick<Host, "now" | "storage">) {
    this.#host = host;
  }

  async load(): Promise<void> {
    for (const [key, row] of await this.#host.storage.list({ prefix: GRANTS_ROWS })) {
      const user = grantsOf(key);
      this.#all.set(user, { ...this.#all.get(user), ...(row as GrantsRow) });
    }
  }

  /** Stored before the token is given. */
  async note(user: UserId, channels: readonly ChannelId[]): Promise<void> {
    const now = this.#host.now();
    const before = this.#all.get(user) ?? {};
    const isNoted = channels.every(
      (channel) => Object.hasOwn(before, channel) && now - (before[channel] ?? 0) < NOTED_MS,
    );
    if (isNoted) return;
    const kept = Object.entries(before).filter(([, at]) => now - at < KEPT_MS + NOTED_MS);
    const noted: GrantsRow = Object.fromEntries([...kept, ...channels.map((channel) => [channel, now] as const)]);
    const rows = rowsOf(user, noted);
    await this.#host.storage.commit(
      rows,
      Object.keys(rowsOf(user, before)).filter((key) => !Object.hasOwn(rows, key)),
    );
    this.#all.set(user, noted);
  }

  /** Where a denied token may have been taken along; of a session alone it isn't known whose it was. */
  of({ sub }: Denial): ChannelId[] {
    const all = sub === undefined ? [...this.#all.values()] : [this.#all.get(sub) ?? {}];
    const oldest = this.#host.now() - KEPT_MS - NOTED_MS;
    const channels = all.flatMap((row) => Object.entries(row).filter(([, at]) => at >= oldest));
    return [...new Set(channels.map(([channel]) => channel as ChannelId))];
  }
}

function rowsOf(user: UserId, noted: GrantsRow): Readonly<Record<string, GrantsRow>> {
  const entries = Object.entries(noted);
  const count = Math.ceil(entries.length / CHANNELS_IN_ROW);
  return Object.fromEntries(
    Array.from({ length: count }, (_, part) => {
      const start = part * CHANNELS_IN_ROW;
      return [grantsRow(user, part), Object.fromEntries(entries.slice(start, start + CHANNELS_IN_ROW))];
    }),
  );
}
