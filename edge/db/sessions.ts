// Ending sessions, which the account library does one at a time and by a token that only its owner has.
import type { UserId } from "#protocol/ids.ts";

/** False when it is somebody else's. One that is over already may be ended again. */
export async function endSession(db: D1Database, user: UserId, sid: string): Promise<boolean> {
  const row = await db.prepare(`SELECT "userId" FROM "session" WHERE "id" = ?`).bind(sid).first<{ userId: UserId }>();
  if (row && row.userId !== user) return false;
  await db.prepare(`DELETE FROM "session" WHERE "id" = ? AND "userId" = ?`).bind(sid, user).run();
  return true;
}

export async function endSessionsOf(db: D1Database, user: UserId): Promise<void> {
  await db.prepare(`DELETE FROM "session" WHERE "userId" = ?`).bind(user).run();
}
