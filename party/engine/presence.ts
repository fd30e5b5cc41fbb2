// Who is here, and signals: passed on and never kept ([RV5] holds for them too).
import { writeFrame } from "#protocol/frame.ts";
import type { Signal, SignalSent } from "#protocol/frames/signal.ts";
import type { Present } from "#protocol/frames/welcome.ts";
import type { UserId } from "#protocol/ids.ts";
import { SIGNAL_EVERY_MS } from "#protocol/limits.ts";
import { faultOf } from "./config-error.ts";
import type { Connection } from "./host.ts";
import type { Viewer } from "./kind.ts";
import type { Memory, Room } from "./room.ts";
import type { Session } from "./session-state.ts";

/** People named in a `welcome`; in a fuller room the rest shows as they signal. */
const PRESENT_MAX = 500;
/** On a line that is asked to bear little, one for each so many bytes of a page: all, from 16 KiB on. */
const BYTES_PER_PRESENT = 32;
/** Where there are more, nobody is told who comes: when all return at once, each would hear of each. */
const ARRIVALS_TOLD_MAX = 100;

export class Presence<Own> {
  readonly #room: Room<Own>;
  readonly #signalledAt = new Map<Connection, Map<string, number>>();

  constructor(room: Room<Own>) {
    this.#room = room;
  }

  /** @param maxBytes of a page on the viewer's line */
  present({ kind }: Memory<Own>, viewer: Viewer, maxBytes: number): Present[] {
    const states = new Map<UserId, Present>();
    for (const { state } of this.#room.host.connections()) {
      if (!state || !kind.seesPerson(state.user, viewer)) continue;
      const isActive = state.presence !== "away" || states.get(state.user)?.state === "active";
      states.set(state.user, { user: state.user, state: isActive ? "active" : "away" });
    }
    const people = [...states.values()];
    const max = Math.min(PRESENT_MAX, Math.floor(maxBytes / BYTES_PER_PRESENT));
    if (people.length <= max) return people;
    // Who isn't named isn't said to be away, but shown no different from who is.
    const isActive = ({ state }: Present): boolean => state === "active";
    return [...people.filter(isActive), ...people.filter((one) => !isActive(one))].slice(0, max);
  }

  /** Only inside `alone`. The others hear of who had no connection here before this one. */
  arrived({ kind }: Memory<Own>, connection: Connection, { user }: Session): void {
    let count = 0;
    for (const other of this.#room.host.connections()) {
      count += 1;
      const isHereAlready = other !== connection && other.state?.user === user;
      if (isHereAlready || count > ARRIVALS_TOLD_MAX) return;
    }
    const text = writeFrame({ t: "signal", kind: "presence", from: user, state: "active" });
    this.#room.broadcast.signal(text, (session) => session.user !== user && kind.seesPerson(user, session));
  }

  async signalled(connection: Connection, session: Session, signal: SignalSent): Promise<void> {
    if (this.#isTooSoon(connection, signal.kind)) return;
    if (signal.kind === "presence") connection.setState({ ...(connection.state ?? session), presence: signal.state });
    await this.#tell(session.user, { ...signal, from: session.user });
  }

  left(connection: Connection): void {
    this.#signalledAt.delete(connection);
    const user = connection.state?.user;
    if (user === undefined) return;
    for (const other of this.#room.host.connections()) {
      if (other !== connection && other.state?.user === user) return;
    }
    this.#tell(user, { t: "signal", kind: "presence", from: user, state: "gone" }).catch((error: unknown) => {
      // Who is here is told again by every welcome.
      this.#room.host.log("presence", { error: faultOf(error) });
    });
  }

  #isTooSoon(connection: Connection, kind: string): boolean {
    const now = this.#room.host.now();
    const times = this.#signalledAt.get(connection) ?? new Map<string, number>();
    this.#signalledAt.set(connection, times);
    // Not longer where the clock was set back since.
    if (Math.abs(now - (times.get(kind) ?? -SIGNAL_EVERY_MS)) < SIGNAL_EVERY_MS) return true;
    times.set(kind, now);
    return false;
  }

  /** Everybody else's live connections that may see the person. */
  async #tell(from: UserId, signal: Signal): Promise<void> {
    const text = writeFrame(signal);
    await this.#room.alone(async ({ kind }) =>
      this.#room.broadcast.signal(text, (session) => session.user !== from && kind.seesPerson(from, session)),
    );
  }
}
