// What browsers say when storing or reading fails, told apart by what can be done about it.

export function isQuota(error: unknown): boolean {
  return error instanceof DOMException && error.name === "QuotaExceededError";
}

/** What browsers say of files that are damaged. It may also be the connection's own trouble: see readable.ts. */
export function isBroken(error: unknown): boolean {
  return isNamed(error, "UnknownError", "NotReadableError") && !isTakenAway(error);
}

/**
 * Chromium calls it unknown where site data was cleared, and says why only in the message; a broken disk is unknown too. A
 * transaction in whose middle the page stood still for a minute it takes away as well.
 */
export function isTakenAway(error: unknown): boolean {
  if (isNamed(error, "AbortError", "InvalidStateError", "TimeoutError")) return true;
  return isNamed(error, "UnknownError") && /\bclos/i.test(error.message);
}

function isNamed(error: unknown, ...names: readonly string[]): error is DOMException {
  return error instanceof DOMException && names.includes(error.name);
}
