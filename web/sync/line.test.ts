import { expect, it } from "vitest";
import { createLine } from "./line.ts";

const well = { ok: true };
const ill = { ok: false };

it("does one after the other, and each hears how it went for the one before", async () => {
  const inLine = createLine();
  const heard: (readonly [string, boolean])[] = [];
  const work = (name: string, result: { ok: boolean }) =>
    inLine(async (isWell) => {
      heard.push([name, isWell]);
      await new Promise((resolve) => setImmediate(resolve));
      return result;
    });
  await Promise.all([work("one", ill), work("two", ill), work("three", well), work("four", well)]);
  expect(heard).toEqual([
    ["one", true],
    ["two", false],
    ["three", false],
    ["four", true],
  ]);
});

it("begins anew for who comes when nobody stands there", async () => {
  const inLine = createLine();
  expect(await inLine(() => Promise.resolve(ill))).toBe(ill);
  expect(await inLine((ok) => Promise.resolve({ ok }))).toEqual({ ok: true });
});

it("goes on behind one that breaks", async () => {
  const inLine = createLine();
  const broken = inLine(() => Promise.reject(new Error("broken")));
  const next = inLine((ok) => Promise.resolve({ ok }));
  await expect(broken).rejects.toThrow("broken");
  expect(await next).toEqual({ ok: true });
});
