import { describe, expect, it } from "vitest";
import { HEARTBEAT_ANSWER_MS } from "#protocol/limits.ts";
import { connectionEnded, PACE_BEGUN, pageCame, pageWithinMs, type Pace } from "./pace.ts";

const ANSWER_MS = HEARTBEAT_ANSWER_MS;
const KIB = 1_024;

/** A line of so many kbit/s and ms each way, on which there is always as much to fetch as is asked for. */
function fetched(kbps: number, ms: number, pages: number): { readonly pace: Pace; readonly longestMs: number } {
  let pace = PACE_BEGUN;
  let longestMs = 0;
  for (let page = 0; page < pages; page += 1) {
    const tookMs = 2 * ms + (pace.bytes * 8) / kbps;
    longestMs = Math.max(longestMs, tookMs);
    pace = pageCame(pace, pace.bytes, tookMs, ANSWER_MS);
  }
  return { pace, longestMs };
}

describe("the pace of pages", () => {
  it("asks a fast line for the largest page after two", () => {
    expect(fetched(10_000, 20, 2).pace.bytes).toBe(256 * KIB);
  });

  it("never asks a line of 50 kbit/s and 2 s each way for more than it carries before it counts as dead", () => {
    const { pace, longestMs } = fetched(50, 2_000, 100);
    expect(longestMs).toBeLessThan(ANSWER_MS);
    expect(pace.bytes).toBeGreaterThan(8 * KIB);
  });

  it.each([20, 100, 400, 2_000])("nor one of %d kbit/s", (kbps) => {
    expect(fetched(kbps, 300, 100).longestMs).toBeLessThan(ANSWER_MS);
  });

  it("takes no small page for a sign of a slow line, nor of a fast one", () => {
    expect(pageCame(PACE_BEGUN, 300, 4_100, ANSWER_MS)).toEqual(PACE_BEGUN);
    expect(pageCame(PACE_BEGUN, 30, 20, ANSWER_MS)).toEqual(PACE_BEGUN);
  });

  it("learns nothing from a clock that was turned back", () => {
    expect(pageCame(PACE_BEGUN, 200 * KIB, -3_600_000, ANSWER_MS)).toEqual(PACE_BEGUN);
  });

  it("begins small again on the next connection: it may be another line", () => {
    const { pace } = fetched(10_000, 20, 3);
    expect(connectionEnded(pace, false)).toEqual(PACE_BEGUN);
  });

  it("waits twice as long, up to a minute, for a page that didn't come, and asks for the least", () => {
    let pace = PACE_BEGUN;
    const waits = [0, 1, 2, 3, 4].map(() => {
      const ms = pageWithinMs(pace, ANSWER_MS);
      pace = connectionEnded(pace, true);
      return ms;
    });
    expect(waits).toEqual([ANSWER_MS, 2 * ANSWER_MS, 4 * ANSWER_MS, 60_000, 60_000]);
    expect(pace.bytes).toBe(4 * KIB);
    // A connection cut before its time is up says nothing of the line; one page that comes says all.
    expect(pageWithinMs(connectionEnded(pace, false), ANSWER_MS)).toBe(60_000);
    expect(pageWithinMs(pageCame(pace, 4 * KIB, 15_000, ANSWER_MS), ANSWER_MS)).toBe(ANSWER_MS);
  });
});
