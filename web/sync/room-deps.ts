// What a room at work is given by the workspace that it belongs to; room-runner.ts has the rest.
import type { Signal } from "#protocol/frames/signal.ts";
import type { Present } from "#protocol/frames/welcome.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Store } from "../store/store.ts";
import type { Note } from "./journal.ts";
import type { Standing } from "./link-state.ts";
import type { Ports } from "./ports.ts";
import type { Timing } from "./timing.ts";
import type { Tokens } from "./tokens.ts";
import type { Traffic } from "./traffic.ts";
import type { Transport } from "./transport.ts";

export interface RoomDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, "now" | "random" | "newId" | "timers" | "report">;
  /** This tab's id while it leads. */
  readonly leader: string;
  readonly me: UserId;
  readonly tokens: Tokens;
  readonly timing: () => Timing;
  readonly openTransport: () => Transport;
  readonly isInUse: () => boolean;
  readonly traffic: Traffic;
  /** Null where the room isn't worth asking once more. */
  readonly standing: () => Standing | null;
  /** Whether the line to the workspace's room stands. */
  readonly askWorkspace: () => void;
  readonly changed: () => void;
  readonly present: (list: readonly Present[]) => void;
  readonly signalled: (signal: Signal) => void;
  readonly note: (note: Note) => void;
  /** Another tab leads. */
  readonly deposed: () => void;
  /** Something could not be stored; resolves when it may be tried again. */
  readonly unstored: (error: unknown) => Promise<void>;
}
