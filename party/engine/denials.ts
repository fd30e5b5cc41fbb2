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
  if (bearer.iat > at) return false;
  return (sub === undefined || sub === bearer.user) && (sid === undefined || sid === bearer.sid);
}

/** Kept at most, so that the row they stand in stays a row whatever people do with their sessions. */
const DENIALS_MAX = 256;

/** Both lists, each denial once, without those that no living token can meet. @param now epoch ms */
export function withDenials(deny: readonly Denial[], added: readonly Denial[], now: number): Denial[] {
  const oldest = Math.floor(now / 1_000) - TOKEN_LIFETIME_S - 2 * TOKEN_LEEWAY_S;
  return together([...deny, ...added].filter(({ at }) => at >= oldest));
}

/**
 * Each once. Too many are put together: sessions into their person, then the oldest into one for everybody. Whoever is
 * met by more than was meant renews their token once; nobody who was denied gets in.
 */
export function together(deny: readonly Denial[]): Denial[] {
  const each = unique(deny);
  if (each.length <= DENIALS_MAX) return each;
  const people = unique(latest(each.map((denial) => (denial.sub === undefined ? denial : withoutSession(denial)))));
  if (people.length <= DENIALS_MAX) return people;
  const byTime = people.toSorted((one, other) => one.at - other.at);
  const oldest = byTime.slice(0, -DENIALS_MAX / 2);
  return [{ at: oldest.at(-1)?.at ?? 0, code: "unauthenticated" }, ...byTime.slice(-DENIALS_MAX / 2)];
}

export function isSameDenial(one: Denial, other: Denial): boolean {
  return nameOf(one) === nameOf(other);
}

function withoutSession({ sub, at, code }: Denial): Denial {
  return { ...(sub === undefined ? {} : { sub }), at, code };
}

/** Of those alike but for their time the latest, which meets all that the others do. */
function latest(deny: readonly Denial[]): Denial[] {
  const found = new Map<string, Denial>();
  for (const denial of deny) {
    const name = nameOf({ ...denial, at: 0 });
    if ((found.get(name)?.at ?? -1) < denial.at) found.set(name, denial);
  }
  return [...found.values()];
}

function unique(deny: readonly Denial[]): Denial[] {
  return [...new Map(deny.map((denial) => [nameOf(denial), denial])).values()];
}

function nameOf({ sub, sid, at, code }: Denial): string {
  return [sub ?? "", sid ?? "", at, code].join(" ");
}
