import { expect, it } from "vitest";
import { untilHere } from "./until-here.ts";

it("asks for what can't be had until it is, with a pause after each try", async () => {
  const pauses: number[] = [];
  let due = (): void => undefined;
  const timers = {
    set: (run: () => void, ms: number): unknown => {
      due = run;
      return pauses.push(ms);
    },
    clear: () => undefined,
  };
  let tries = 0;
  const load = async (): Promise<string> => {
    tries += 1;
    if (tries < 3) throw new TypeError("bad line");
    return "code";
  };
  const here = untilHere(load, timers);
  await expect.poll(() => pauses.length).toBe(1);
  due();
  await expect.poll(() => pauses.length).toBe(2);
  expect(tries).toBe(2);
  due();
  expect(await here).toBe("code");
  expect([tries, pauses]).toEqual([3, [2_000, 2_000]]);
});
