// What a period is by the reader's calendar; the words for it are tested with queries (query.test.ts).
import { afterAll, expect, test } from "vitest";
import { readPeriod } from "./period.ts";

const before = process.env["TZ"];
afterAll(() => {
  process.env["TZ"] = before;
});

test.each([
  ["America/Sao_Paulo", "2026-10-08"],
  ["Asia/Tehran", "2026-03-21"],
  ["America/Santiago", "2026-10-15"],
  ["Africa/Cairo", "2026-04-28"],
  ["Asia/Amman", "2026-03-30"],
  ["Atlantic/Azores", "2026-03-26"],
  ["America/Asuncion", "2026-10"],
])("begins at its own midnight in %s on %s, for which there was none in 2000", (zone, typed) => {
  process.env["TZ"] = zone;
  const [year = 0, month = 1, day = 1] = typed.split("-").map(Number);
  const period = readPeriod(typed, Date.now());
  expect(period).toMatchObject({ from: new Date(year, month - 1, day).getTime() });
});
