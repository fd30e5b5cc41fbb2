// Failures of what is there from the start. They are rare, so the catalogue of their texts comes behind.
import type { ErrorCode, ErrorParams, Failure } from "#protocol/errors.ts";
import { failed } from "#protocol/result.ts";

/** Where the catalogue can't be had either, the code has to say it. */
export async function failing(
  code: ErrorCode,
  about?: ErrorParams,
): Promise<{ readonly ok: false; readonly error: Failure }> {
  const catalogue = await import("#protocol/errors.ts").catch(() => null);
  return failed(catalogue === null ? { code, detail: code } : catalogue.failure(code, about));
}
