// From text to frame, for both directions. What can't be read is told apart from what is merely unknown, since an
// unknown `t` is ignored and the third unreadable frame closes the socket (protocol, section 5).
import * as v from "valibot";
import { DOWN, type DownFrame } from "./down.ts";
import { failed, ok, type Result } from "./result.ts";
import { UP, type UpFrame } from "./up.ts";

export type FrameFault = "unreadable" | "unknown";

/** Sent as bare text, so that a host can answer `ping` without waking the room. */
export const PING = "ping";
export const PONG = "pong";

const envelope = v.looseObject({ t: v.string() });

export function readUpFrame(text: string): Result<UpFrame, FrameFault> {
  return readFrame<UpFrame>(UP, text);
}

export function readDownFrame(text: string): Result<DownFrame, FrameFault> {
  return readFrame<DownFrame>(DOWN, text);
}

export function writeFrame(frame: UpFrame | DownFrame): string {
  return JSON.stringify(frame);
}

function readFrame<Frame>(schemas: Readonly<Record<string, v.GenericSchema>>, text: string): Result<Frame, FrameFault> {
  const json = parseJson(text);
  const frame = v.safeParse(envelope, json);
  if (!frame.success) return failed("unreadable");
  const { t } = frame.output;
  const schema = Object.hasOwn(schemas, t) ? schemas[t] : undefined;
  if (!schema) return failed("unknown");
  const parsed = v.safeParse(schema, json);
  return parsed.success ? ok(parsed.output as Frame) : failed("unreadable");
}

/** Undefined where it isn't JSON; no valid frame is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
