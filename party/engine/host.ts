// What a room needs of whatever runs it: storage, connections, a clock, timers and a way to call other rooms.
// PartyKit and Durable Objects differ only behind this port.
import type { RoomRef } from "#protocol/room-name.ts";
import type { Session } from "./session-state.ts";

export type Rows = Readonly<Record<string, unknown>>;

/** Key-value storage of the smaller host: values under 128 KB, at most 128 rows in one write. */
export interface RoomStorage {
  /** Missing keys are missing in the answer. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** In order of the keys. `start` is included, `end` is not. */
  list(range: ListRange): Promise<ReadonlyMap<string, unknown>>;
  /** All of it or nothing; durable when it resolves. */
  commit(puts: Rows, deletes?: readonly string[]): Promise<void>;
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
}

export interface ListRange {
  readonly prefix: string;
  readonly start?: string;
  readonly end?: string;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** A socket. Its state survives hibernation and stays under 1.5 KB. */
export interface Connection {
  readonly state: Session | null;
  setState(state: Session | null): unknown;
  send(text: string): void;
  close(code: number, reason: string): void;
}

export interface CallAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface Host {
  /** The id in the room's address; null where the host can't tell (an alarm under PartyKit). */
  readonly id: string | null;
  readonly storage: RoomStorage;
  connections(): Iterable<Connection>;
  /** Epoch ms. */
  now(): number;
  randomId(): string;
  /** Runs `task` later, if the room is still in memory then; returns how to call it off. */
  later(delayMs: number, task: () => Promise<void>): () => void;
  /** A signed service call; throws when the room can't be reached. */
  call(room: RoomRef, method: "GET" | "POST", action: string, body?: unknown): Promise<CallAnswer>;
  /** One line for whoever runs the deployment. Never a text, a token or a name. */
  log(event: string, details: Readonly<Record<string, string | number>>): void;
}
