// Room tokens of one tab, in memory only, used until they lapse on the local clock ([AU8]). Rooms asked for in one turn
// share a request, for those are counted: twenty links that open together, or whose tokens lapsed together, cost one.
import type { AuthReason, Config } from "#protocol/http.ts";
import { AUTH_ROOMS_MAX, TOKEN_RENEW_FROM, TOKEN_RENEW_TO } from "#protocol/limits.ts";
import type { UserId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { decide, isAnswered, isOfAnother, type AuthDecision, type Token } from "./auth.ts";
import { ask, type Answer } from "./http.ts";
import type { Ports } from "./ports.ts";

export interface Tokens {
  /** @param isFresh the one at hand was called bad, or is to be renewed */
  readonly get: (room: RoomName, isFresh: boolean, reason: AuthReason) => Promise<AuthDecision>;
  /** Drops all: another session began. */
  readonly forget: () => void;
}

interface Held {
  readonly token: Token;
  readonly lapsesAt: number;
}

interface Wish {
  readonly room: RoomName;
  readonly reason: AuthReason;
  readonly decided: (decision: AuthDecision | Promise<AuthDecision>) => void;
}

const workspaceOf = (room: RoomName): string | undefined => parseRoomName(room)?.workspace;

/** One that is about to lapse would be refused before the room has answered. */
const LAPSES_SOON_MS = 5_000;

/**
 * @param me who everything is sent as: a token of somebody else is the end of this session
 * @param granted told of each answer that gave one: the edge knows the session
 */
export function createTokens(
  ports: Pick<Ports, "fetch" | "origin" | "timers" | "now">,
  config: () => Pick<Config, "authEndpoint" | "authCredentials">,
  me: UserId,
  granted: () => void = () => undefined,
): Tokens {
  const held = new Map<RoomName, Held>();
  let wishes: Wish[] = [];

  /** What is left of the one at hand, ms; NaN where there is none. */
  const leftMs = (room: RoomName): number => (held.get(room)?.lapsesAt ?? NaN) - LAPSES_SOON_MS - ports.now();

  const request = (room: RoomName, others: readonly RoomName[], reason: AuthReason): Promise<Answer> => {
    const { authEndpoint: url, authCredentials: credentials } = config();
    const rooms = others[0] && [room, ...others];
    return ask(ports, { method: "POST", url, credentials, body: { room, rooms, reason, v: PROTOCOL_VERSION } });
  };

  const keep = (room: RoomName, answer: Answer, askedAt: number): AuthDecision => {
    const decision = decide(answer, room);
    const isOurs = decision.do === "use" && !isOfAnother(decision.token, me);
    if (isOurs) {
      held.set(room, { token: decision.token, lapsesAt: askedAt + decision.token.lifeMs });
      granted();
      // One that has lapsed stays, so that its room is asked for along with the next.
    } else if (decision.do === "stop" || leftMs(room) > 0) held.delete(room);
    return decision.do === "use" && !isOurs ? { do: "sign-in" } : decision;
  };

  const alone = async (room: RoomName, reason: AuthReason): Promise<AuthDecision> => {
    const askedAt = ports.now();
    return keep(room, await request(room, [], reason), askedAt);
  };

  const together = async (
    [first, ...others]: readonly [Wish, ...Wish[]],
    lapsed: readonly RoomName[],
  ): Promise<void> => {
    const askedAt = ports.now();
    const answer = await request(first.room, [...others.map(({ room }) => room), ...lapsed], first.reason);
    first.decided(keep(first.room, answer, askedAt));
    for (const { room, reason, decided } of others) {
      decided(isAnswered(answer, room) ? keep(room, answer, askedAt) : alone(room, reason));
    }
    // Its own link may have asked meanwhile, or another session begun.
    for (const room of lapsed) if (leftMs(room) <= 0 && isAnswered(answer, room)) keep(room, answer, askedAt);
  };

  /**
   * A token is for one workspace ([RM4]), and a request for a few rooms. Where there is a place left those come along whose
   * tokens have lapsed: after an outage the links of a device come one by one, and theirs are here by then.
   */
  const flush = (): void => {
    const all = wishes;
    wishes = [];
    for (const [workspace, group] of Map.groupBy(all, ({ room }) => workspaceOf(room))) {
      const lapsed = [...held.keys()].filter(
        (room) => leftMs(room) <= 0 && workspaceOf(room) === workspace && !group.some((wish) => wish.room === room),
      );
      for (let from = 0; from < group.length; from += AUTH_ROOMS_MAX) {
        const some = group.slice(from, from + AUTH_ROOMS_MAX) as [Wish, ...Wish[]];
        void together(some, lapsed.splice(0, AUTH_ROOMS_MAX - some.length));
      }
    }
  };

  return {
    get: async (room, isFresh, reason) => {
      if (isFresh) return alone(room, reason);
      const at = held.get(room);
      if (at && leftMs(room) > 0) return { do: "use", token: at.token };
      return new Promise((decided) => {
        if (wishes.length === 0) queueMicrotask(flush);
        wishes.push({ room, reason, decided });
      });
    },
    forget: () => held.clear(),
  };
}

/** When to renew a token of this life, from now ([AU9]). */
export function renewalMs(lifeMs: number, random: number): number {
  return lifeMs * (TOKEN_RENEW_FROM + random * (TOKEN_RENEW_TO - TOKEN_RENEW_FROM));
}
