// Tokens that no longer count ([AU12]): of a person or a session, issued at or before a second.
import { TOKEN_LEEWAY_S, TOKEN_LIFETIME_S } from "#protocol/limits.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Denial } from "#protocol/service.ts";

export interface Bearer {
  readonly user: UserId;
  readonly iat: number;
  readonly sid?: string | undefined;
}

/** The code to refuse with, null if nothing stands against it. */
export function deniedBy(deny: readonly Denial[], bearer: Bearer): Denial["code"] | null {
  const against = deny.filter((denial) => concerns(denial, bearer));
  if (against.length === 0) return null;
  return against.some(({ code }) => code === "forbidden") ? "forbidden" : "unauthenticated";
}

function concerns({ sub, sid, at }: Denial, bearer: Bearer): boolean {
  if (bearer.iat > at || (sub === undefined && sid === undefined)) return false;
  return (sub === undefined || sub === bearer.user) && (sid === undefined || sid === bearer.sid);
}

/** Both lists, each denial once, without those that no living token can meet. @param now epoch ms */
export function withDenials(deny: readonly Denial[], added: readonly Denial[], now: number): Denial[] {
  const oldest = Math.floor(now / 1_000) - TOKEN_LIFETIME_S - 2 * TOKEN_LEEWAY_S;
  const kept = new Map([...deny, ...added].filter(({ at }) => at >= oldest).map((denial) => [nameOf(denial), denial]));
  return [...kept.values()];
}

function nameOf({ sub, sid, at, code }: Denial): string {
  return [sub ?? "", sid ?? "", at, code].join(" ");
}
