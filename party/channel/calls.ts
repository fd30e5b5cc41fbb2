// The service calls of a channel room (protocol, section 9).
import { failure, type Failure } from "#protocol/errors.ts";
import { parse } from "#protocol/parse.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { policy } from "#protocol/service.ts";
import type { ServiceCall } from "../engine/http.ts";
import type { Room } from "../engine/room.ts";
import { ChannelKind } from "./kind.ts";
import { applyPolicy } from "./policy.ts";
import type { ChannelOwn } from "./state.ts";

/** Null when there is no such call. */
export function channelCall(
  room: Room<ChannelOwn>,
  { call, body }: ServiceCall,
): Promise<Result<unknown, Failure>> | null {
  if (call !== "POST policy") return null;
  const asked = parse(policy, body);
  return room.alone(async (memory) => {
    if (!asked.ok) return asked;
    const { kind } = memory;
    if (!(kind instanceof ChannelKind)) return failed(failure("not_found"));
    return ok(await applyPolicy(room, memory, kind, asked.value));
  });
}
