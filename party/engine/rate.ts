// How much somebody may ask at once: a bucket that fills steadily. Kept in memory only, so it costs no write.

export interface Bucket {
  readonly left: number;
  /** When `left` was counted, epoch ms. */
  readonly at: number;
}

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Takes one: the bucket after it, and how long to wait (seconds) if there was none. */
export function take(bucket: Bucket | undefined, rate: Rate, now: number): { bucket: Bucket; waitS: number } {
  const grown =
    bucket === undefined ? rate.burst : bucket.left + (Math.max(0, now - bucket.at) / 1_000) * rate.perSecond;
  const left = Math.min(rate.burst, grown);
  return left >= 1
    ? { bucket: { left: left - 1, at: now }, waitS: 0 }
    : { bucket: { left, at: now }, waitS: (1 - left) / rate.perSecond };
}

/** Gives one back that turned out to cost nothing. */
export function giveBack(bucket: Bucket): Bucket {
  return { ...bucket, left: bucket.left + 1 };
}

/** The buckets of everybody in a room. Emptied as a whole when there are too many: the worst is a second burst. */
export class Rates {
  readonly #buckets = new Map<string, Bucket>();

  /** Seconds to wait, 0 if one was free. */
  take(name: string, rate: Rate, now: number): number {
    if (this.#buckets.size > BUCKETS_MAX) this.#buckets.clear();
    const { bucket, waitS } = take(this.#buckets.get(name), rate, now);
    this.#buckets.set(name, bucket);
    return waitS;
  }

  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket) this.#buckets.set(name, giveBack(bucket));
  }
}

const BUCKETS_MAX = 20_000;
