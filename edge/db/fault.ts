// The database being away: nobody's mistake, and over in a while.

/** The account library lost it: it keeps the cause to itself and only says that something failed. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/** D1 says so by how its messages begin. */
export function isDatabaseFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof DatabaseError || error.message.startsWith("D1_") || isDatabaseFault(error.cause);
}
