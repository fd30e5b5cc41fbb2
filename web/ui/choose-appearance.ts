// Choosing between light and dark, roomy and dense.
import { APPEARANCE, applyAppearance, readAppearance, type Appearance } from "./appearance.ts";

const listeners = new Set<() => void>();
let current = readAppearance();

export const appearance = {
  snapshot: (): Appearance => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function setAppearance(change: Partial<Appearance>): void {
  try {
    // Another tab may have chosen since.
    if (localStorage.getItem(APPEARANCE) !== null) current = readAppearance();
  } catch {
    // As below.
  }
  current = { ...current, ...change };
  try {
    localStorage.setItem(APPEARANCE, `${current.theme} ${current.density}`);
  } catch {
    // A browser that keeps nothing: the choice holds until the tab closes.
  }
  applyAppearance(current);
  for (const listener of listeners) listener();
}
