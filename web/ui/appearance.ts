// Light or dark, roomy or dense: this device's choice, put on the document before the first render.

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

export interface Appearance {
  readonly theme: Theme;
  readonly density: Density;
}

const THEMES: readonly Theme[] = ["system", "light", "dark"];
/** Where it is kept: the theme, a space, the density. */
export const APPEARANCE = "causeway.appearance";

export function applyAppearance({ theme, density }: Appearance): void {
  const { dataset } = document.documentElement;
  dataset["theme"] = theme;
  dataset["density"] = density;
}

export function readAppearance(): Appearance {
  let stored = "";
  try {
    stored = localStorage.getItem(APPEARANCE) ?? "";
  } catch {
    // A browser that keeps nothing.
  }
  const [theme, density] = stored.split(" ");
  return {
    theme: THEMES.find((known) => known === theme) ?? "system",
    density: density === "compact" ? "compact" : "comfortable",
  };
}
