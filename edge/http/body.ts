// Reads a JSON body without believing it: type, size and shape are checked before anybody acts on it.
import type * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import { parse } from "#protocol/parse.ts";
import { failed, ok, type Result } from "#protocol/result.ts";

/** Far above what any call of the edge needs; files go another way. */
const BODY_MAX_BYTES = 64 * 1024;

/**
 * `unsupported_type` unless the body says it is JSON (a page of another site can't say so without being asked for
 * leave first), `too_large`, or what the schema finds wrong.
 */
export async function readJson<Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
): Promise<Result<v.InferOutput<Schema>, Failure>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    return failed(failure("unsupported_type", { rule: "expected application/json" }));
  }
  const text = await readText(request);
  if (!text.ok) return text;
  let value: unknown;
  try {
    value = JSON.parse(text.value);
  } catch {
    return failed(failure("invalid", { rule: "expected JSON" }));
  }
  // For the schemas a list is an object too, one whose fields are all left out.
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return failed(failure("invalid", { rule: "expected a JSON object" }));
  }
  return parse(schema, value);
}

async function readText(request: Request): Promise<Result<string, Failure>> {
  const tooLarge = failed(failure("too_large", { field: "The body", limit: BODY_MAX_BYTES }));
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX_BYTES) return tooLarge;
  if (!request.body) return ok("");
  // The length may be left out or wrong, so the bytes are counted as they come.
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > BODY_MAX_BYTES) return tooLarge;
    text += decoder.decode(chunk, { stream: true });
  }
  return ok(text + decoder.decode());
}
