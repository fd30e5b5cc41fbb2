// The same room without a socket (protocol, section 8): the same ops, pages and rights, problem+json for errors.
import * as v from "valibot";
import { failure, isHeld, type Failure } from "#protocol/errors.ts";
import type { Answer } from "#protocol/frames/answer.ts";
import type { You } from "#protocol/frames/base.ts";
import type { OpFrame, SkipFrame } from "#protocol/frames/op.ts";
import type { DeviceId } from "#protocol/ids.ts";
import { historyAsked, historyLimit } from "#protocol/frames/history.ts";
import { opsRequest, type OpsResponse } from "#protocol/http.ts";
import { CLIENT_FRAME_MAX_BYTES, OPS_IN_FLIGHT_MAX, PAGE_MAX_BYTES } from "#protocol/limits.ts";
import { parse } from "#protocol/parse.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { parseRoom } from "#protocol/room-name.ts";
import { admit } from "./admission.ts";
import { changesAfter } from "./catch-up.ts";
import { epochFor, projectFor, withoutTombstones } from "./greeting.ts";
import { answerOp, brokenAnswer, lastNumberOf } from "./ops.ts";
import type { Memory, Room } from "./room.ts";
import type { Identity, Verifier } from "./tokens.ts";

/** A request as the engine sees it, whatever the host's types are. */
export interface RoomRequest {
  readonly method: string;
  /** Path and query, as called. */
  readonly path: string;
  readonly authorization: string | null;
  /** Reads it, null when over the limit. */
  readonly body: (maxBytes: number) => Promise<string | null>;
}

/** A call signed by the deployment's own parts. */
export interface ServiceCall {
  /** `POST policy` */
  readonly call: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined where there is none. */
  readonly body: unknown;
}

/** The largest body there is: a batch of frames of the largest size. */
export const BATCH_MAX_BYTES = OPS_IN_FLIGHT_MAX * CLIENT_FRAME_MAX_BYTES;

const count = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));
const changesQuery = v.object({
  since: v.optional(count, "0"),
  epoch: v.exactOptional(v.string()),
  limit: v.exactOptional(count),
});
const historyQuery = v.object({
  before: v.exactOptional(count),
  around: v.exactOptional(count),
  limit: v.exactOptional(count),
});

interface Caller {
  readonly you: You;
  readonly identity: Identity;
}

export class HttpCalls<Own> {
  readonly #room: Room<Own>;
  readonly #verifier: Verifier;

  constructor(room: Room<Own>, verifier: Verifier) {
    this.#room = room;
    this.#verifier = verifier;
  }

  /** Null when the action isn't one of these. */
  async answer(request: RoomRequest, action: string, query: URLSearchParams): Promise<Result<unknown, Failure> | null> {
    const call = `${request.method} ${action}`;
    if (call === "GET changes") return this.#changes(request, query);
    if (call === "GET history") return this.#history(request, query);
    if (call === "POST ops") return this.#ops(request);
    return null;
  }

  /** As a member who hasn't asked for more than they may; nothing of it costs a write. */
  async #asReader<T>(
    request: RoomRequest,
    task: (memory: Memory<Own>, caller: Caller) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    return this.#asMember(request, async (memory, caller) => {
      const seconds = this.#room.rates.ask(caller.you.user, "read", this.#room.host.now());
      return seconds > 0 ? failed(failure("rate_limited", { seconds })) : task(memory, caller);
    });
  }

  async #changes(request: RoomRequest, query: URLSearchParams): Promise<Result<unknown, Failure>> {
    const asked = parse(changesQuery, Object.fromEntries(query));
    if (!asked.ok) return asked;
    return this.#asReader(request, async (memory, { you }) => {
      await memory.kind.arrived(memory, you.user);
      const { stem, kind } = memory;
      const { since, epoch, limit } = asked.value;
      const isBegunInSight = epoch === epochFor(memory, you);
      const isOther = (epoch !== undefined && epoch !== stem.epoch && !isBegunInSight) || since > stem.head;
      const sight = kind.sightSince(you.user);
      const isAnew = isOther || since === 0 || (since < sight && !isBegunInSight);
      const project = projectFor(kind, you);
      const page = await changesAfter(
        this.#room.host.storage,
        stem,
        isAnew ? 0 : since,
        isAnew ? withoutTombstones(project) : project,
        // A cursor below sight would start anew again, where no epoch tells of which sight it is.
        { limit, until: isAnew ? sight : 0 },
      );
      return ok({ t: "changes", ...page, ...(isOther || (isAnew && since !== 0) ? { reset: true } : {}) });
    });
  }

  async #history(request: RoomRequest, query: URLSearchParams): Promise<Result<unknown, Failure>> {
    const asked = parse(historyQuery, Object.fromEntries(query));
    if (!asked.ok) return asked;
    const frame = parse(historyAsked, { t: "history", ...asked.value });
    if (!frame.ok) return frame;
    return this.#asReader(request, async ({ kind, stem }) => {
      const { before, around, limit } = asked.value;
      const place = before === undefined ? { around: around ?? 0 } : { before };
      const page = await kind.snapshots?.history({ ...place, limit: historyLimit(limit), maxBytes: PAGE_MAX_BYTES });
      const about = { rev: stem.head, epoch: stem.epoch, floor: kind.floor };
      return page ? ok({ t: "history", ...page, ...about }) : failed(failure("not_found"));
    });
  }

  async #ops(request: RoomRequest): Promise<Result<OpsResponse, Failure>> {
    // Nobody's body is read who may not come in.
    const caller = await this.#asReader(request, async (_memory, { you }) => ok(you));
    if (!caller.ok) return caller;
    const you = caller.value;
    const body = await request.body(BATCH_MAX_BYTES);
    if (body === null) return failed(failure("too_large", { field: "The batch", limit: BATCH_MAX_BYTES }));
    const asked = parse(v.pipe(v.string(), v.parseJson(), opsRequest), body);
    if (!asked.ok) return asked;
    const { device, ops } = asked.value;
    const results: OpsResponse["results"] = [];
    for (const frame of ops) {
      // Others have their turn between two ops of a batch.
      const answered = await this.#op(request, device, frame);
      // What was done before it is answered: how its sender stands now is told at the next call.
      if (!answered.ok && results.length === 0) return answered;
      if (!answered.ok) break;
      const { value } = answered;
      results.push(value);
      if (value.t === "refuse" && (isHeld(value.code) || value.code === "device_conflict")) break;
    }
    return this.#room.alone(async (memory) => {
      const lastN = await lastNumberOf(this.#room, { you, device });
      return ok({ results, head: memory.stem.head, lastN, epoch: epochFor(memory, you) });
    });
  }

  async #op(request: RoomRequest, device: DeviceId, frame: OpFrame | SkipFrame): Promise<Result<Answer, Failure>> {
    try {
      return await this.#asMember(request, async (memory, { you }) => {
        const { answer, done } = await answerOp(this.#room, memory, { you, device }, frame);
        if (done) this.#room.finish(memory);
        return ok(answer);
      });
    } catch (error) {
      return ok(brokenAnswer(this.#room, frame.n, error));
    }
  }

  async #asMember<T>(
    request: RoomRequest,
    task: (memory: Memory<Own>, caller: Caller) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    const token = /^Bearer (.+)$/i.exec(request.authorization ?? "")?.[1];
    if (token === undefined) return failed(failure("unauthenticated"));
    const { host, party } = this.#room;
    const ref = parseRoom(party, host.id ?? "");
    if (!ref) return failed(failure("not_found"));
    const identity = await this.#verifier.verify(token, ref, host.now());
    if (!identity.ok) return identity;
    return this.#room.alone(async (memory) => {
      const you = await admit(memory, identity.value);
      return you.ok ? task(memory, { you: you.value, identity: identity.value }) : you;
    });
  }
}
