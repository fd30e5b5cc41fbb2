// What whoever leads must know before anything can go on, read from a disk that may be taken away meanwhile: another one
// stands in its place a moment later, and nobody else would ask it.
import { isTakenAway } from "../store/faults.ts";
import type { Ports } from "./ports.ts";

export interface Reading {
  readonly timers: Ports["timers"];
  /** Told of what trying again doesn't help. */
  readonly failed: (error: unknown) => Promise<void>;
  /** Nobody wants to know any more. */
  readonly isOver: () => boolean;
}

/** Between two tries, ms. */
const AGAIN_MS = 1_000;

/** Calls `read` until it succeeds. Null where it can't, or nobody wants to know any more. */
export async function untilRead<T>({ timers, failed, isOver }: Reading, read: () => Promise<T>): Promise<T | null> {
  while (!isOver()) {
    try {
      return await read();
    } catch (error) {
      if (!isTakenAway(error)) {
        await failed(error);
        break;
      }
      await new Promise<void>((resolve) => void timers.set(resolve, AGAIN_MS));
    }
  }
  return null;
}
