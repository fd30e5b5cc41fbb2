// Exactly once, in order: what a room remembers of each device, and what that says about an op that comes in.
import type { Failure, ErrorCode } from "#protocol/errors.ts";
import { DEVICES_MAX, LEGACY_MAX, RING_SIZE } from "#protocol/limits.ts";

/** One processed op: its number, its id, and the refusal if it was refused. */
export type Remembered = readonly [n: number, id: string, code?: ErrorCode, detail?: string];

/** The row `d:<user>:<device>`. */
export interface Device {
  /** The number of the last op processed. */
  readonly last: number;
  /** When that was, epoch ms: the least recent device is forgotten first. */
  readonly at: number;
  readonly ring: readonly Remembered[];
  /** Which of them were skipped. Missing in a record that an older build wrote last. */
  readonly skips?: Skips;
  /** Others of this person had been forgotten when it came: what it sends, one of those may have done. */
  readonly isHeir?: true;
}

/** The row `f:<user>`: ids of the ops that forgotten devices had done, oldest first. */
export type Legacy = readonly string[];

interface Skips {
  /** Of those processed before this number it isn't known. */
  readonly since: number;
  readonly ns: readonly number[];
}

export const UNKNOWN_DEVICE: Device = { last: 0, at: 0, ring: [] };

export type Standing =
  | { readonly is: "next" }
  /** Done before; answered as then ([OP3]). `isSkip`: only its number was used up; undefined where that isn't known. */
  | {
      readonly is: "repeated";
      readonly refusal: Pick<Failure, "code" | "detail"> | null;
      readonly isSkip: boolean | undefined;
    }
  | { readonly is: "conflict" }
  | { readonly is: "early"; readonly expected: number };

export function standingOf(device: Device, op: { readonly n: number; readonly id: string }): Standing {
  const expected = device.last + 1;
  if (op.n === expected) return { is: "next" };
  if (op.n > expected) return { is: "early", expected };
  const found = device.ring.find(([n]) => n === op.n);
  if (found?.[1] !== op.id) return { is: "conflict" };
  const [, , code, detail = ""] = found;
  return { is: "repeated", refusal: code === undefined ? null : { code, detail }, isSkip: isSkipAt(device, op.n) };
}

/** Undefined where that isn't known. */
function isSkipAt({ skips }: Device, n: number): boolean | undefined {
  return skips === undefined || n < skips.since ? undefined : skips.ns.includes(n);
}

/** The ids of those of its ops that it is known to have done. */
function doneBy(device: Device): string[] {
  return device.ring.flatMap(([n, id, code]) => (code === undefined && isSkipAt(device, n) === false ? [id] : []));
}

/** Whether an op that comes under its next number was done under another, by this device or by one that was forgotten. */
export function hasDone(device: Device, legacy: Legacy, id: string): boolean {
  return legacy.includes(id) || doneBy(device).includes(id);
}

/** What is known of the forgotten once these are as well; what the first of them had done goes first. */
export function legacyOf(before: Legacy, forgotten: readonly Device[]): Legacy {
  return [...before, ...forgotten.flatMap(doneBy)].slice(-LEGACY_MAX);
}

interface Processing {
  readonly at: number;
  /** If it was refused for good ([OP2]). */
  readonly refusal: Pick<Failure, "code" | "detail"> | null;
  /** Under another number, before that: a skip is told so, now and when it comes again ([OP6]). */
  readonly isDone: boolean;
}

/** The device after an op was processed. */
export function processed(
  device: Device,
  op: { readonly t: "op" | "skip"; readonly n: number; readonly id: string },
  { at, refusal, isDone }: Processing,
): Device {
  const entry: Remembered = refusal ? [op.n, op.id, refusal.code, refusal.detail] : [op.n, op.id];
  const ring = [...device.ring.slice(1 - RING_SIZE), entry];
  const { since, ns } = device.skips ?? { since: op.n, ns: [] };
  const skips = [...ns, ...(op.t === "skip" && !isDone ? [op.n] : [])].filter((n) =>
    ring.some(([other]) => other === n),
  );
  const heir = device.isHeir ? ({ isHeir: true } as const) : {};
  return { last: op.n, at, ring, skips: { since, ns: skips }, ...heir };
}

/** The devices to forget so that one more has room, by their rows, least recent first. */
export function toForget(devices: ReadonlyMap<string, Device>): ReadonlyMap<string, Device> {
  const tooMany = Math.max(0, devices.size + 1 - DEVICES_MAX);
  return new Map([...devices].toSorted(([, one], [, other]) => one.at - other.at).slice(0, tooMany));
}
