// Whether the list of first steps was put away on this device.
const KEY = "causeway.first-steps-done";

const listeners = new Set<() => void>();

export const firstSteps = {
  snapshot: (): boolean => {
    try {
      return localStorage.getItem(KEY) !== null;
    } catch {
      return false;
    }
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  putAway: (): void => {
    try {
      localStorage.setItem(KEY, "1");
    } catch {
      // A browser that keeps nothing shows the list again.
    }
    for (const listener of listeners) listener();
  },
};
