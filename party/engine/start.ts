// Puts a room together: the engine, what makes it a kind of room, and the three ways in.
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import type { Party } from "#protocol/room-name.ts";
import type { Host } from "./host.ts";
import { HttpCalls, type ServiceCall } from "./http.ts";
import { Room, type MakeKind } from "./room.ts";
import { Sessions } from "./session.ts";
import type { Verifier } from "./tokens.ts";

/** What makes a kind of room out of the engine. */
export interface Parts<Own> {
  readonly party: Party;
  /** Called once for each time the room is in memory, before anything is loaded. */
  readonly start: (room: () => Room<Own>) => {
    readonly makeKind: MakeKind<Own>;
    readonly call: AnswerCall;
  };
}

/** Null when there is no such service call. */
export type AnswerCall = (asked: ServiceCall) => Promise<Result<unknown, Failure>> | null;

export interface Running<Own> {
  readonly room: Room<Own>;
  readonly sessions: Sessions<Own>;
  readonly http: HttpCalls<Own>;
  readonly call: AnswerCall;
}

export function startRoom<Own>(host: Host, { party, start }: Parts<Own>, verifier: Verifier): Running<Own> {
  const { makeKind, call } = start(() => room);
  const room: Room<Own> = new Room(host, party, makeKind);
  return { room, sessions: new Sessions(room, verifier), http: new HttpCalls(room, verifier), call };
}
