// A database that is away for some statements: what was begun before them stands, and nobody hears of what follows.
import { vi } from "vitest";

/** While something happens, each statement that begins so fails, in whatever case it is written. */
export async function refusing<Answer>(db: D1Database, start: string, call: () => Promise<Answer>): Promise<Answer> {
  const prepare = db.prepare.bind(db);
  const spy = vi.spyOn(db, "prepare").mockImplementation((sql) => {
    if (sql.toLowerCase().startsWith(start.toLowerCase())) throw new Error("D1_ERROR: Network connection lost.");
    return prepare(sql);
  });
  try {
    return await call();
  } finally {
    spy.mockRestore();
  }
}
