import { beforeEach, expect, test, vi } from "vitest";
import { APPEARANCE } from "./appearance.ts";

const stored = new Map<string, string>();
let isBlocked = false;
let isFull = false;

beforeEach(() => {
  stored.clear();
  isBlocked = isFull = false;
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException("Full.", "QuotaExceededError");
      stored.set(key, value);
    },
  };
  vi.stubGlobal(
    "localStorage",
    new Proxy(storage, {
      get: (target, name) => {
        if (isBlocked) throw new DOMException("Blocked.", "SecurityError");
        return target[name as keyof typeof target];
      },
    }),
  );
  vi.resetModules();
  return () => vi.unstubAllGlobals();
});

test("what is chosen leaves alone what another tab has chosen since", async () => {
  const { setAppearance, appearance } = await import("./choose-appearance.ts");
  stored.set(APPEARANCE, "dark comfortable");
  setAppearance({ density: "compact" });
  expect(stored.get(APPEARANCE)).toBe("dark compact");
  expect(appearance.snapshot()).toEqual({ theme: "dark", density: "compact" });
});

test("a browser that keeps nothing goes by what was chosen in the tab", async () => {
  isBlocked = true;
  const { setAppearance, appearance } = await import("./choose-appearance.ts");
  setAppearance({ theme: "dark" });
  setAppearance({ density: "compact" });
  expect(appearance.snapshot()).toEqual({ theme: "dark", density: "compact" });
});

test("what a full browser couldn't keep isn't taken back by the next choice", async () => {
  const { setAppearance, appearance } = await import("./choose-appearance.ts");
  setAppearance({ theme: "dark" });
  isFull = true;
  setAppearance({ theme: "system" });
  setAppearance({ density: "compact" });
  expect(appearance.snapshot()).toEqual({ theme: "system", density: "compact" });
  isFull = false;
  setAppearance({ density: "comfortable" });
  expect(stored.get(APPEARANCE)).toBe("system comfortable");
  stored.set(APPEARANCE, "light comfortable");
  setAppearance({ density: "compact" });
  expect(appearance.snapshot()).toEqual({ theme: "light", density: "compact" });
});
