// Room tokens of one tab, in memory only: asked for one room each, used until they lapse on the local clock ([AU8]).
import type { AuthReason, Config } from "#protocol/http.ts";
import { TOKEN_RENEW_FROM, TOKEN_RENEW_TO } from "#protocol/limits.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { decide, type AuthDecision, type Token } from "./auth.ts";
import { ask } from "./http.ts";
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

/** One that is about to lapse would be refused before the room has answered. */
const LAPSES_SOON_MS = 5_000;

export function createTokens(
  ports: Pick<Ports, "fetch" | "origin" | "timers" | "now">,
  config: () => Pick<Config, "authEndpoint" | "authCredentials">,
): Tokens {
  const held = new Map<RoomName, Held>();
  return {
    get: async (room, isFresh, reason) => {
      const at = held.get(room);
      if (!isFresh && at !== undefined && at.lapsesAt - LAPSES_SOON_MS > ports.now())
        return { do: "use", token: at.token };
      const { authEndpoint: url, authCredentials: credentials } = config();
      const body = { room, reason, v: PROTOCOL_VERSION };
      const askedAt = ports.now();
      const decision = decide(await ask(ports, { method: "POST", url, credentials, body }), room);
      if (decision.do === "use") held.set(room, { token: decision.token, lapsesAt: askedAt + decision.token.lifeMs });
      else held.delete(room);
      return decision;
    },
    forget: () => held.clear(),
  };
}

/** When to renew a token of this life, from now ([AU9]). */
export function renewalMs(lifeMs: number, random: number): number {
  return lifeMs * (TOKEN_RENEW_FROM + random * (TOKEN_RENEW_TO - TOKEN_RENEW_FROM));
}
