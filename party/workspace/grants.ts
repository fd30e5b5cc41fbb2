// Which channels somebody was given a token for in the last hour: there an older token must be denied when their role
// ends ([AU12]). One row a person, written again only when it would soon be too old.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { TOKEN_LEEWAY_S, TOKEN_LIFETIME_S } from "#protocol/limits.ts";
import type { Denial } from "#protocol/service.ts";
import type { Host } from "../engine/host.ts";
import { grantsRow, type GrantsRow } from "./state.ts";

const KEPT_MS = (TOKEN_LIFETIME_S + TOKEN_LEEWAY_S) * 1_000;
/** A grant noted so long ago is noted anew; until then it covers the tokens given since. */
const NOTED_MS = KEPT_MS / 2;

export class Grants {
  readonly #host: Host;
  readonly #rows = new Map<UserId, GrantsRow>();

  constructor(host: Host) {
    this.#host = host;
  }

  async load(): Promise<void> {
    const prefix = grantsRow("" as UserId);
    for (const [key, row] of await this.#host.storage.list({ prefix })) {
      this.#rows.set(key.slice(prefix.length) as UserId, row as GrantsRow);
    }
  }

  /** Stored before the token is given. */
  async note(user: UserId, channels: readonly ChannelId[]): Promise<void> {
    const now = this.#host.now();
    const before = this.#rows.get(user) ?? {};
    const isNoted = channels.every(
      (channel) => Object.hasOwn(before, channel) && now - (before[channel] ?? 0) < NOTED_MS,
    );
    if (isNoted) return;
    const kept = Object.entries(before).filter(([, at]) => now - at < KEPT_MS + NOTED_MS);
    const row: GrantsRow = Object.fromEntries([...kept, ...channels.map((channel) => [channel, now] as const)]);
    await this.#host.storage.commit({ [grantsRow(user)]: row });
    this.#rows.set(user, row);
  }

  /** Where a denied token may have been taken along; of a session alone it isn't known whose it was. */
  of({ sub }: Denial): ChannelId[] {
    const rows = sub === undefined ? [...this.#rows.values()] : [this.#rows.get(sub) ?? {}];
    const oldest = this.#host.now() - KEPT_MS - NOTED_MS;
    const channels = rows.flatMap((row) => Object.entries(row).filter(([, at]) => at >= oldest));
    return [...new Set(channels.map(([channel]) => channel as ChannelId))];
  }
}
