// A room read without a socket (protocol, section 8): a page of history, a page of changes.
import * as v from "valibot";
import { changes, type Changes } from "#protocol/frames/changes.ts";
import { history, type History } from "#protocol/frames/history.ts";
import { HISTORY_PAGE_MAX, PAST_ANY_PLACE } from "#protocol/limits.ts";
import { parseRoomName, roomPathOf, type RoomName } from "#protocol/room-name.ts";
import { ask } from "./http.ts";
import type { Ports } from "./ports.ts";
import type { Tokens } from "./tokens.ts";

export type Read<Frame> =
  | { readonly got: "page"; readonly frame: Frame }
  /** The network, the endpoint or the room is away; with how long to wait where it said so. */
  | { readonly got: "nothing"; readonly ms: number | null }
  /** Not let in: asking again changes nothing. */
  | { readonly got: "refused" };

export interface RoomReader {
  /** The page before a place; the newest where there is none. */
  readonly history: (room: RoomName, before: number | null) => Promise<Read<History>>;
  readonly changes: (room: RoomName, since: number, epoch: string | null) => Promise<Read<Changes>>;
}

export function roomReader(
  ports: Pick<Ports, "fetch" | "origin" | "timers">,
  tokens: Tokens,
  roomsAt: () => string,
): RoomReader {
  const read = async <S extends v.GenericSchema>(
    room: RoomName,
    query: string,
    schema: S,
  ): Promise<Read<v.InferOutput<S>>> => {
    const ref = parseRoomName(room);
    if (ref === null) return { got: "refused" };
    const url = `${roomsAt()}${roomPathOf(ref)}/${query}`;
    for (const isFresh of [false, true]) {
      const decision = await tokens.get(room, isFresh, isFresh ? "reconnect" : "connect");
      if (decision.do === "wait") return { got: "nothing", ms: decision.ms };
      if (decision.do === "stop") return { got: "refused" };
      // Signed out it may be for a moment.
      if (decision.do !== "use") return { got: "nothing", ms: null };
      const answer = await ask(ports, { method: "GET", url, bearer: decision.token.jwt, credentials: "omit" });
      if (answer.kind === "no-network") return { got: "nothing", ms: null };
      if (answer.status === 401) continue;
      if (answer.status === 403 || answer.status === 404) return { got: "refused" };
      const frame = v.safeParse(schema, answer.body);
      if (answer.status !== 200 || !frame.success) {
        return { got: "nothing", ms: answer.retryAfter === undefined ? null : answer.retryAfter * 1_000 };
      }
      return { got: "page", frame: frame.output };
    }
    return { got: "refused" };
  };

  return {
    history: (room, before) =>
      read(room, `history?before=${before ?? PAST_ANY_PLACE}&limit=${HISTORY_PAGE_MAX}`, history),
    changes: (room, since, epoch) => {
      const of = epoch === null ? "" : `&epoch=${encodeURIComponent(epoch)}`;
      return read(room, `changes?since=${since}${of}`, changes);
    },
  };
}
