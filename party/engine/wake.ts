// The safety net under everything owed ([SV1]): an alarm that outlives the process. Set rarely, since each costs a row:
// what is owed is tried at once and by timers, and once more whenever the room wakes.
import { faultOf } from "./config-error.ts";
import { BUMP_LAZY_MS } from "#protocol/limits.ts";
import type { Host } from "./host.ts";

/** With nothing known to have failed: for a process that ends between a commit and the call it owes. */
const NET_MS = 10 * 60_000;
/** After a try that failed. */
const RETRY_MS = 30_000;
/** An alarm may be a little late. */
const MARGIN_MS = 2_000;

export class Wake {
  readonly #host: Host;
  /** Undefined until asked of the storage. */
  #at: number | null | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Something is owed and on its way. */
  asNet(): Promise<void> {
    return this.#by(NET_MS);
  }

  /** Something is owed and could not be delivered. */
  toRetry(): Promise<void> {
    return this.#by(RETRY_MS);
  }

  /** Something that somebody waits for, and that may wait to be done with others. */
  shortly(): Promise<void> {
    return this.#by(BUMP_LAZY_MS - MARGIN_MS);
  }

  /** The alarm rang: there is none now. */
  rang(): void {
    this.#at = null;
  }

  async #by(delayMs: number): Promise<void> {
    const at = this.#host.now() + delayMs;
    try {
      if (this.#at === undefined) this.#at = await this.#host.storage.getAlarm();
      if (this.#at !== null && this.#at <= at) return;
      this.#at = at;
      await this.#host.storage.setAlarm(at);
    } catch (error) {
      this.#at = undefined;
      this.#host.log("alarm not set", { error: faultOf(error) });
    }
  }
}
