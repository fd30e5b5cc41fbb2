// People's accounts, beyond what the account library does by itself.

/**
 * Whether a new account may take this address. A sign-up that died between its steps leaves a person without a
 * password, whom nobody can be: it makes way.
 */
export async function clearWay(db: D1Database, email: string): Promise<boolean> {
  const [, found] = await db.batch([
    db
      .prepare(
        `DELETE FROM "user" WHERE "email" = ?1 AND "createdAt" < ?2
         AND NOT EXISTS (SELECT 1 FROM "account" a WHERE a."userId" = "user"."id")`,
      )
      .bind(email, new Date(Date.now() - HALF_MADE_FOR_MS).toISOString()),
    db.prepare(`SELECT 1 FROM "user" WHERE "email" = ?`).bind(email),
  ]);
  return (found?.results.length ?? 0) === 0;
}

/** A sign-up takes a second; within this another one may still be at work. */
const HALF_MADE_FOR_MS = 60_000;
