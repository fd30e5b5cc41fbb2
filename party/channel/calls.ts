// The service calls of a channel room (protocol, section 9).
import type * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import { parse } from "#protocol/parse.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { policy, renewal } from "#protocol/service.ts";
import type { ServiceCall } from "../engine/http.ts";
import type { Memory, Room } from "../engine/room.ts";
import { ChannelKind } from "./kind.ts";
import { applyPolicy } from "./policy.ts";
import { beginAnew } from "./restored.ts";
import type { ChannelOwn } from "./state.ts";

/** Null when there is no such call. */
export function channelCall(
  room: Room<ChannelOwn>,
  { call, body }: ServiceCall,
): Promise<Result<unknown, Failure>> | null {
  switch (call) {
    case "POST policy":
      return withBody(room, policy, body, async (memory, kind, asked) =>
        ok(await applyPolicy(room, memory, kind, asked)),
      );
    case "POST restored":
      return restored(room, body);
    default:
      return null;
  }
}

/** Answers when the workspace room was told, or is to be told by the alarm. */
async function restored(room: Room<ChannelOwn>, body: unknown): Promise<Result<unknown, Failure>> {
  const begun = await withBody(room, renewal, body, (memory, kind, asked) => beginAnew(room, memory, kind, asked));
  if (begun.ok) await room.alone(async ({ kind }) => kind).then((kind) => kind.settleNow());
  return begun;
}

function withBody<Schema extends v.GenericSchema>(
  room: Room<ChannelOwn>,
  schema: Schema,
  body: unknown,
  act: (
    memory: Memory<ChannelOwn>,
    kind: ChannelKind,
    asked: v.InferOutput<Schema>,
  ) => Promise<Result<unknown, Failure>>,
): Promise<Result<unknown, Failure>> {
  const asked = parse(schema, body);
  return room.alone(async (memory) => {
    if (!asked.ok) return asked;
    const { kind } = memory;
    if (!(kind instanceof ChannelKind)) return failed(failure("not_found"));
    return act(memory, kind, asked.value);
  });
}
