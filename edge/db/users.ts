// People's accounts, beyond what the account library does by itself.

/**
 * Whether a new account may take this address. A sign-up that died between its steps leaves a person without a
 * password, whom nobody can be: it makes way, once it can't be at work any more; until then it is `begun`.
 */
export async function clearWay(db: D1Database, email: string): Promise<"free" | "taken" | "begun"> {
  const [, found] = await db.batch<{ isWhole: number }>([
    db
      .prepare(
        `DELETE FROM "user" WHERE "email" = ?1 AND "createdAt" < ?2
         AND NOT EXISTS (SELECT 1 FROM "account" a WHERE a."userId" = "user"."id")`,
      )
      .bind(email, new Date(Date.now() - HALF_MADE_FOR_MS).toISOString()),
    db
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM "account" a WHERE a."userId" = "user"."id") AS "isWhole" FROM "user" WHERE "email" = ?`,
      )
      .bind(email),
  ]);
  const [person] = found?.results ?? [];
  if (person === undefined) return "free";
  return person.isWhole === 0 ? "begun" : "taken";
}

/** A sign-up takes a second; within this another one may still be at work. */
export const HALF_MADE_FOR_MS = 60_000;
