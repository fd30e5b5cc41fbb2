import { afterEach, expect, test, vi } from "vitest";
import { copy } from "./copy.ts";

const shown: string[] = [];
const show = async (text: string): Promise<void> => void shown.push(text);

afterEach(() => {
  vi.unstubAllGlobals();
  shown.length = 0;
});

test("what the browser doesn't let us copy is there to be copied by hand", async () => {
  const refuse = (): Promise<never> => Promise.reject(new DOMException("no", "NotAllowedError"));
  vi.stubGlobal("navigator", { clipboard: { writeText: refuse } });
  expect(await copy("words", show)).toBe(false);
  expect(shown).toEqual(["words"]);
});

test("so it is where there is no clipboard, as over plain HTTP", async () => {
  vi.stubGlobal("navigator", {});
  expect(await copy("words", show)).toBe(false);
  expect(shown).toEqual(["words"]);
});

test("what was copied is no more of anybody's business", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.resolve() } });
  expect(await copy("words", show)).toBe(true);
  expect(shown).toEqual([]);
});
