// How much somebody may ask at once: a bucket that fills steadily. Kept in memory only, so it costs no write.
import type { UserId } from "#protocol/ids.ts";

export interface Bucket {
  readonly left: number;
  /** When `left` was counted, epoch ms. */
  readonly at: number;
}

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Takes `cost`: the bucket after it, and how long to wait (seconds) if there wasn't as much. */
export function take(
  bucket: Bucket | undefined,
  rate: Rate,
  now: number,
  cost: number,
): { bucket: Bucket; waitS: number } {
  const grown =
    bucket === undefined ? rate.burst : bucket.left + (Math.max(0, now - bucket.at) / 1_000) * rate.perSecond;
  const left = Math.min(rate.burst, grown);
  return left >= cost
    ? { bucket: { left: left - cost, at: now }, waitS: 0 }
    : { bucket: { left, at: now }, waitS: (cost - left) / rate.perSecond };
}

/** Gives one back that turned out to cost nothing. */
export function giveBack(bucket: Bucket): Bucket {
  return { ...bucket, left: bucket.left + 1 };
}

/** What somebody may ask of a room, socket and HTTP together; beyond it a socket's turns wait, and HTTP is told to. */
const ASKED_RATE: Rate = { perSecond: 100, burst: 1_000 };
/** A page, a greeting or a token to check costs what twenty a second are enough of; a client asks one at a time. */
const READ_COST = 5;

/** The buckets of everybody in a room. Emptied as a whole when there are too many: the worst is a second burst. */
export class Rates {
  readonly #buckets = new Map<string, Bucket>();

  /** Seconds to wait, 0 if one was free. */
  take(name: string, rate: Rate, now: number, cost = 1): number {
    if (this.#buckets.size > BUCKETS_MAX) this.#buckets.clear();
    const { bucket, waitS } = take(this.#buckets.get(name), rate, now, cost);
    this.#buckets.set(name, bucket);
    return waitS;
  }

  /** Seconds to wait before the person may ask. */
  ask(user: UserId, what: "read" | "op", now: number): number {
    return this.take(`ask ${user}`, ASKED_RATE, now, what === "read" ? READ_COST : 1);
  }

  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket) this.#buckets.set(name, giveBack(bucket));
  }
}

const BUCKETS_MAX = 20_000;
