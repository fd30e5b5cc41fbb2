// What the browser tells of the person and the line: that somebody is at it, and what bytes cost. And its place for notes.
import { keepBeside } from "../features/composer/keep-beside.ts";
import type { Surroundings } from "../sync/ports.ts";

export { putRight } from "../features/composer/put-right.ts";

/** Of the Network Information API, which not every browser has and TypeScript's DOM doesn't know. */
interface Connection extends EventTarget {
  readonly saveData?: boolean;
  readonly type?: string;
  readonly effectiveType?: string;
}

const TOLD_EVERY_MS = 500;
const USES = ["wheel", "touchmove", "keydown", "pointerdown", "scroll"] as const;

export function surroundings(): Surroundings {
  const { connection } = navigator as { readonly connection?: Connection };
  return {
    line: () => {
      if (connection?.saveData === true) return "saving";
      if (connection?.type === "cellular") return "metered";
      return connection?.effectiveType === "2g" || connection?.effectiveType === "slow-2g" ? "slow" : "free";
    },
    listen: (listener) => {
      const stop = new AbortController();
      let toldAt = Number.NEGATIVE_INFINITY;
      const use = (): void => {
        const now = performance.now();
        if (now - toldAt < TOLD_EVERY_MS) return;
        toldAt = now;
        listener("used");
      };
      for (const type of USES) {
        document.addEventListener(type, use, { capture: true, passive: true, signal: stop.signal });
      }
      connection?.addEventListener("change", () => listener("line"), { signal: stop.signal });
      return () => stop.abort();
    },
    notes: () => localStorage,
    // Of all browsers only Chromium's have it.
    mayTearLog: "userAgentData" in navigator,
    keepBeside,
  };
}
