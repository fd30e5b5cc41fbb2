// Something that changes and says so, and views derived from it: recomputed when asked after a change, and the identical
// object while nothing in it differs.
import { isAlike } from "#protocol/alike.ts";
import type { View } from "./view.ts";

export interface Source {
  readonly subscribe: (listener: () => void) => () => void;
}

/** The source with the means to tell. */
export interface Signal extends Source {
  readonly tell: () => void;
}

export function signal(): Signal {
  const listeners = new Set<() => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: () => {
      for (const listener of listeners)
        try {
          listener();
        } catch {
          // The others hear of it all the same, and this one once more in a turn of its own: React, told many times before
          // it gets one, takes that for an endless loop (its error 185), and the screen would stand as it is.
          setTimeout(() => listeners.has(listener) && listener());
        }
    },
  };
}

export function together(...sources: readonly Source[]): Source {
  return {
    subscribe: (listener) => {
      const stops = sources.map((source) => source.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

export interface Cell<Value> extends View<Value> {
  /** Tells only where the value differs. */
  readonly set: (value: Value) => void;
}

export function cell<Value>(initial: Value): Cell<Value> {
  const changes = signal();
  let value = initial;
  return {
    subscribe: changes.subscribe,
    snapshot: () => value,
    set: (next) => {
      if (isAlike(value, next)) return;
      value = next;
      changes.tell();
    },
  };
}

/**
 * @param compute gets the snapshot before, so that it may keep the parts that didn't change
 * @param version raised by every change of the source, also while nobody listens
 */
export function derive<Value>(
  source: Source,
  version: () => unknown,
  compute: (before: Value | undefined) => Value,
): View<Value> {
  let computed: { readonly of: unknown; readonly value: Value } | null = null;
  const snapshot = (): Value => {
    const of = version();
    if (computed !== null && Object.is(computed.of, of)) return computed.value;
    const value = compute(computed?.value);
    const isSame = computed !== null && isAlike(computed.value, value);
    computed = { of, value: isSame && computed !== null ? computed.value : value };
    return computed.value;
  };
  return {
    snapshot,
    subscribe: (listener) => {
      let seen = snapshot();
      return source.subscribe(() => {
        const now = snapshot();
        if (now === seen) return;
        const before = seen;
        seen = now;
        try {
          listener();
        } catch (error) {
          // It hasn't heard.
          if (seen === now) seen = before;
          throw error;
        }
      });
    },
  };
}
