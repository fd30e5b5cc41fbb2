// Light or dark, roomy or dense: this device's choice, put on the document before the first render.

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

export interface Appearance {
  readonly theme: Theme;
  readonly density: Density;
}

const THEMES: readonly Theme[] = ["system", "light", "dark"];
const KEY = "causeway.appearance";

const listeners = new Set<() => void>();
let current = read();

export const appearance = {
  snapshot: (): Appearance => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function setAppearance(change: Partial<Appearance>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, `${current.theme} ${current.density}`);
  } catch {
    // A browser that keeps nothing: the choice holds until the tab closes.
  }
  applyAppearance();
  for (const listener of listeners) listener();
}

export function applyAppearance(): void {
  const { dataset } = document.documentElement;
  dataset["theme"] = current.theme;
  dataset["density"] = current.density;
}

function read(): Appearance {
  let stored = "";
  try {
    stored = localStorage.getItem(KEY) ?? "";
  } catch {
    // As above.
  }
  const [theme, density] = stored.split(" ");
  return {
    theme: THEMES.find((known) => known === theme) ?? "system",
    density: density === "compact" ? "compact" : "comfortable",
  };
}
