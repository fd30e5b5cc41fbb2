// One op from a device: its standing among the numbers, its rights, its effect, and one write for all of it ([OP1]).
import type * as v from "valibot";
import type { Entities, Entity, Kind as EntityKind } from "#protocol/entities/entity.ts";
import { failure, isHeld, type Failure } from "#protocol/errors.ts";
import type { You } from "#protocol/frames/base.ts";
import type { Answer } from "#protocol/frames/answer.ts";
import type { OpFrame, SkipFrame } from "#protocol/frames/op.ts";
import type { DeviceId, UserId } from "#protocol/ids.ts";
import { ENTITY_MAX_BYTES, OPS_BURST, OPS_PER_SECOND, REFUSALS_PER_MINUTE, STAMPS_MAX } from "#protocol/limits.ts";
import { isOpName, OPS, type AnyOp } from "#protocol/ops/all.ts";
import type { Lookup, OpContext } from "#protocol/ops/op.ts";
import { parse } from "#protocol/parse.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { faultOf } from "./config-error.ts";
import { bytesOf } from "./catch-up.ts";
import {
  hasDone,
  legacyOf,
  processed,
  standingOf,
  toForget,
  UNKNOWN_DEVICE,
  type Device,
  type Legacy,
} from "./devices.ts";
import type { Host, Rows } from "./host.ts";
import { asEntity, devicePrefix, deviceRow, entityRow, keyOf, legacyRow } from "./keys.ts";
import type { Change } from "./kind.ts";
import type { Memory, Room } from "./room.ts";

export interface Sender {
  readonly you: You;
  readonly device: DeviceId;
}

export interface Answered {
  readonly answer: Answer;
  /** What it changed, unprojected; null when nothing was. */
  readonly done: { readonly rev: number; readonly entities: readonly Entity[] } | null;
}

const OP_RATE = { perSecond: OPS_PER_SECOND, burst: OPS_BURST };
const REFUSAL_RATE = { perSecond: REFUSALS_PER_MINUTE / 60, burst: REFUSALS_PER_MINUTE };

/** Only inside `alone`. Throws when storage fails; then nothing was done and nothing may be said. */
export async function answerOp<Own>(
  room: Room<Own>,
  memory: Memory<Own>,
  sender: Sender,
  frame: OpFrame | SkipFrame,
): Promise<Answered> {
  const { user } = sender.you;
  const now = room.host.now();
  const { device, legacy, ...forgetting } = await deviceOf(room, sender);
  const standing = standingOf(device, frame);
  if (standing.is === "conflict") return refused(frame.n, failure("device_conflict"));
  if (standing.is === "early") return refused(frame.n, { ...failure("out_of_order"), expected: standing.expected });
  const waitS = room.rates.take(`op ${user}`, OP_RATE, now);
  if (waitS > 0) return refused(frame.n, failure("rate_limited", { seconds: waitS }));
  if (standing.is === "repeated") {
    const { refusal: before, isSkip } = standing;
    if (before) return refused(frame.n, before);
    return frame.t === "skip" || isSkip === true
      ? skipped(frame.n, isSkip)
      : withoutEffect(room, memory, sender, frame);
  }

  const isDone = hasDone(device, legacy, frame.id) || (frame.t === "op" && (await wasDone(room, user, frame)));
  const decided = frame.t === "skip" || isDone ? ok(null) : await decideAsKnown(room, memory, sender, frame);
  const refusal = decided.ok ? null : decided.error;
  if (refusal) {
    const tooMany = isHeld(refusal.code) ? 0 : room.rates.take(`refusal ${user}`, REFUSAL_RATE, now);
    if (tooMany > 0) return refused(frame.n, failure("rate_limited", { seconds: tooMany }));
    if (isHeld(refusal.code)) {
      room.rates.giveBack(`op ${user}`);
      return refused(frame.n, refusal);
    }
  }
  const change: Change<Own> = decided.ok && decided.value ? decided.value : { entities: [] };
  const record = processed(device, frame, { at: now, refusal, isDone });
  const done = await room.commit(memory, {
    ...change,
    rows: { ...change.rows, ...forgetting.rows, [deviceRow(user, sender.device)]: record },
    deletes: [...(change.deletes ?? []), ...forgetting.deletes],
  });
  if (refusal) return refused(frame.n, refusal);
  if (frame.t === "skip") return skipped(frame.n, !isDone);
  return done ? effective(memory, sender, frame.n, done) : withoutEffect(room, memory, sender, frame);
}

/** What to say when `answerOp` threw: nothing was done, and the same op may be sent again ([OP6]). */
export function brokenAnswer<Own>({ host }: Room<Own>, n: number, error: unknown): Answer {
  const reference = host.randomId().slice(-8);
  host.log("internal", { where: "op", reference, error: faultOf(error) });
  return refused(n, failure("internal", { reference })).answer;
}

/** As far as the room knows it, with what has to be written where another is forgotten for it. */
interface KnownDevice {
  readonly device: Device;
  readonly legacy: Legacy;
  readonly rows: Rows;
  readonly deletes: readonly string[];
}

async function deviceOf<Own>({ host }: Room<Own>, { you, device: id }: Sender): Promise<KnownDevice> {
  const key = deviceRow(you.user, id);
  const known = (await host.storage.get([key])).get(key) as Device | undefined;
  if (known)
    return { device: known, legacy: known.isHeir ? await forgottenOf(host, you.user) : [], rows: {}, deletes: [] };
  const others = await host.storage.list({ prefix: devicePrefix(you.user) });
  const forgotten = toForget(others as ReadonlyMap<string, Device>);
  const legacy = legacyOf(await forgottenOf(host, you.user), [...forgotten.values()]);
  const device = legacy.length === 0 ? UNKNOWN_DEVICE : { ...UNKNOWN_DEVICE, isHeir: true as const };
  return {
    device,
    legacy,
    rows: forgotten.size === 0 ? {} : { [legacyRow(you.user)]: legacy },
    deletes: [...forgotten.keys()],
  };
}

/** What the person's forgotten devices had done. */
async function forgottenOf({ storage }: Host, user: UserId): Promise<Legacy> {
  const key = legacyRow(user);
  return ((await storage.get([key])).get(key) as Legacy | undefined) ?? [];
}

/** Whether any device of the person's, forgotten or not, is known to have done what may have been done. */
async function wasDone<Own>({ host }: Room<Own>, user: UserId, { id, again }: OpFrame): Promise<boolean> {
  if (again !== true) return false;
  const legacy = await forgottenOf(host, user);
  const devices = await host.storage.list({ prefix: devicePrefix(user) });
  return [...(devices as ReadonlyMap<string, Device>).values()].some((device) => hasDone(device, legacy, id));
}

/** The last number processed, 0 for a device that isn't known (any more). */
export async function lastNumberOf<Own>(room: Room<Own>, sender: Sender): Promise<number> {
  const key = deviceRow(sender.you.user, sender.device);
  const device = (await room.host.storage.get([key])).get(key) as Device | undefined;
  return device?.last ?? 0;
}

/** Nothing is refused by what another room has changed meanwhile. */
async function decideAsKnown<Own>(
  room: Room<Own>,
  memory: Memory<Own>,
  sender: Sender,
  frame: OpFrame,
): ReturnType<typeof decide<Own>> {
  const decided = await decide(room, memory, sender, frame);
  if (decided.ok) return decided;
  const held = await memory.kind.relearn(memory, decided.error);
  return held ? failed(held) : decided;
}

/** The change to make, null if the op is without effect. */
async function decide<Own>(
  room: Room<Own>,
  memory: Memory<Own>,
  { you, device }: Sender,
  frame: OpFrame,
): Promise<Result<Change<Own> | null, Failure>> {
  const parsed = parseOp(room, frame);
  if (!parsed.ok) return parsed;
  const { kind, stem } = memory;
  const { at, seq } = kind.context(you.user, room.host.now());
  const ctx: OpContext = { actor: you.user, at, seq, rev: stem.head + 1, ...writtenAt(frame.at, at) };
  // Both at once: nearly every op is meant as it stands.
  const [meant, asItStands] = await Promise.all([
    kind.meant(parsed.value, you.user, device),
    load(room, parsed.value, ctx),
  ]);
  if (meant.isVoid) return ok({ entities: [], rows: meant.rows ?? {} });
  const lookup = meant.op === parsed.value ? asItStands : await load(room, meant.op, ctx);
  const op = asSeenHere(meant.op, lookup);
  const call = { op, ctx, you, lookup };
  const refusal = kind.refusal(call);
  if (refusal) return failed(refusal);
  const made = reduce(op, ctx, lookup);
  if (made.length === 0) return ok(meant.rows ? { entities: [], rows: meant.rows } : null);
  const change = kind.change(call, made);
  if (change.entities.length > STAMPS_MAX)
    return failed(failure("too_many", { field: "changes of one op", limit: STAMPS_MAX }));
  const size = Math.max(...change.entities.map((entity) => bytesOf(entity)));
  if (size > ENTITY_MAX_BYTES) return failed(failure("too_large", { actual: size, limit: ENTITY_MAX_BYTES }));
  return ok({ ...change, rows: { ...change.rows, ...meant.rows } });
}

function parseOp<Own>({ party }: Room<Own>, { op: name, args }: OpFrame): Result<AnyOp, Failure> {
  const isHere = isOpName(name) && OPS[name].room === party;
  if (!isHere) return failed(failure("invalid", { field: "op", rule: "is not known in this room" }));
  const parsed = parse<v.GenericSchema>(OPS[name].args, args);
  return parsed.ok ? ok({ op: name, args: parsed.value } as AnyOp) : parsed;
}

/** Edited from beyond what there is, as before the room was restored, it has seen nothing that was said since ([SV4]). */
function asSeenHere(op: AnyOp, lookup: Lookup): AnyOp {
  if (op.op !== "message.edit") return op;
  const isBeyond = op.args.base > (lookup("message", op.args.id)?.rev ?? 0);
  return isBeyond ? { ...op, args: { ...op.args, base: 0 } } : op;
}

// The op and its arguments belong together, which the compiler can't follow through the table; hence `never`.
function reduce({ op, args }: AnyOp, ctx: OpContext, lookup: Lookup): ReturnType<(typeof OPS)[AnyOp["op"]]["apply"]> {
  return OPS[op].apply(args as never, ctx, lookup);
}

async function load<Own>({ host }: Room<Own>, { op, args }: AnyOp, ctx: OpContext): Promise<Lookup> {
  const keys = OPS[op].reads(args as never, ctx);
  const rows = await host.storage.get([...new Set(keys.map((key) => entityRow(keyOf(key))))]);
  return <K extends EntityKind>(kind: K, id: string) =>
    rows.get(entityRow(keyOf({ kind, id }))) as Entities[K] | undefined;
}

/** Clocks a little apart say nothing; what was written offline keeps its time. */
const CLOCKS_AGREE_MS = 10_000;

function writtenAt(written: number, at: number): { writtenAt?: number } {
  return Math.abs(written - at) > CLOCKS_AGREE_MS ? { writtenAt: written } : {};
}

function effective<Own>(
  { kind }: Memory<Own>,
  { you }: Sender,
  n: number,
  done: NonNullable<Answered["done"]>,
): Answered {
  const seen = new Map(
    done.entities.flatMap((entity) => kind.project(entity, you)).map((entity) => [keyOf(entity), entity]),
  );
  return { answer: { t: "ack", n, rev: done.rev, entities: [...seen.values()] }, done };
}

/** The present state of what the op is about, as far as its sender may see it ([OP3]). */
async function withoutEffect<Own>(
  room: Room<Own>,
  memory: Memory<Own>,
  { you, device }: Sender,
  frame: OpFrame,
): Promise<Answered> {
  const parsed = parseOp(room, frame);
  const answer = { t: "ack" as const, n: frame.n, rev: null };
  if (!parsed.ok) return { answer: { ...answer, entities: [] }, done: null };
  const { op } = await memory.kind.meant(parsed.value, you.user, device);
  const ctx: OpContext = { actor: you.user, at: 0, seq: 0, rev: 0 };
  const keys = OPS[op.op].reads(op.args as never, ctx);
  const rows = await room.host.storage.get([...new Set(keys.map((key) => entityRow(keyOf(key))))]);
  const present = [...rows.values()].map((row) => asEntity(row)).filter((entity) => entity !== undefined);
  const seen = new Map(
    present.flatMap((entity) => memory.kind.project(entity, you)).map((entity) => [keyOf(entity), entity]),
  );
  return { answer: { ...answer, entities: [...seen.values()] }, done: null };
}

/** The number is used up, and the op itself only where it had been done before that ([OP6]). */
function skipped(n: number, isSkip: boolean | undefined): Answered {
  const told = isSkip === undefined ? {} : { done: !isSkip };
  return { answer: { t: "ack", n, rev: null, entities: [], ...told }, done: null };
}

function refused(n: number, { code, detail, retryAfter, expected }: Failure): Answered {
  const answer = {
    t: "refuse" as const,
    n,
    code,
    detail,
    held: isHeld(code),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(expected === undefined ? {} : { expected }),
  };
  return { answer, done: null };
}
