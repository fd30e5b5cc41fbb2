// Choosing between light and dark, roomy and dense.
import { APPEARANCE, applyAppearance, readAppearance, type Appearance } from "./appearance.ts";

const listeners = new Set<() => void>();
let current = readAppearance();
/** What was chosen here and couldn't be kept. */
let unkept: Partial<Appearance> = {};

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
    if (localStorage.getItem(APPEARANCE) !== null) current = { ...readAppearance(), ...unkept };
  } catch {
    // As below.
  }
  current = { ...current, ...change };
  unkept = { ...unkept, ...change };
  try {
    localStorage.setItem(APPEARANCE, `${current.theme} ${current.density}`);
    unkept = {};
  } catch {
    // A browser that keeps nothing, or no more: the choice holds until the tab closes.
  }
  applyAppearance(current);
  for (const listener of listeners) listener();
}
