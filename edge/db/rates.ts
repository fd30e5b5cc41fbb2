// Counts tries within a window, in D1: exact over all of the platform's places, for what must not be tried often.
// Frequent calls use the platform's own limiter instead, which costs no row but knows windows of a minute only.
import { failure, type Failure } from "#protocol/errors.ts";
import { failed, ok, type Result } from "#protocol/result.ts";

export interface Limit {
  /** What is counted; a keyed hash, see auth/digest.ts. */
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

/** Counts one try, or answers `rate_limited` with the seconds until the window ends. A refused try writes nothing. */
export async function countTry(db: D1Database, limit: Limit, now: number): Promise<Result<null, Failure>> {
  const counted = await db
    .prepare(
      `INSERT INTO "rate" ("key", "count", "endsAt") VALUES (?1, 1, ?2 + ?3)
       ON CONFLICT ("key") DO UPDATE SET
         "count" = CASE WHEN "endsAt" <= ?2 THEN 1 ELSE "count" + 1 END,
         "endsAt" = CASE WHEN "endsAt" <= ?2 THEN ?2 + ?3 ELSE "endsAt" END
       WHERE "endsAt" <= ?2 OR "count" < ?4
       RETURNING "count"`,
    )
    .bind(limit.key, now, limit.windowMs, limit.max)
    .first<{ count: number }>();
  if (counted) {
    if (counted.count === 1) await forgetEnded(db, now);
    return ok(null);
  }
  const window = await db
    .prepare(`SELECT "endsAt" FROM "rate" WHERE "key" = ?`)
    .bind(limit.key)
    .first<{ endsAt: number }>();
  return failed(failure("rate_limited", { seconds: Math.max(1, ((window?.endsAt ?? now) - now) / 1_000) }));
}

/** After a success: earlier slips no longer count. */
export async function forgetTries(db: D1Database, key: string): Promise<void> {
  await db.prepare(`DELETE FROM "rate" WHERE "key" = ?`).bind(key).run();
}

/** The table holds only windows that began lately, so that it stays small without a job of its own. */
async function forgetEnded(db: D1Database, now: number): Promise<void> {
  await db.prepare(`DELETE FROM "rate" WHERE "endsAt" <= ?`).bind(now).run();
}
