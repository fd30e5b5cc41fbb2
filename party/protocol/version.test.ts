import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DOWN } from "./down.ts";
import { OPS } from "./ops/all.ts";
import { UP } from "./up.ts";
import { OLDEST_SERVED_VERSION, PROTOCOL_HISTORY, PROTOCOL_VERSION } from "./version.ts";

/** A valibot schema is plain data but for its functions, so its JSON changes with every field and limit. */
function fingerprint(): string {
  const args = Object.fromEntries(Object.entries(OPS).map(([name, op]) => [name, op.args]));
  const shape = JSON.stringify([UP, DOWN, args], (_key, value: unknown) =>
    value instanceof RegExp ? value.source : value,
  );
  return createHash("sha256").update(shape).digest("hex").slice(0, 16);
}

describe("the version of the wire", () => {
  it("stands first in its history, and each has one line", () => {
    expect(PROTOCOL_HISTORY[0]?.[0]).toBe(PROTOCOL_VERSION);
    expect(PROTOCOL_HISTORY.map(([version]) => version)).toEqual(
      [...PROTOCOL_HISTORY.keys()].map((index) => PROTOCOL_VERSION - index),
    );
    expect(OLDEST_SERVED_VERSION).toBeLessThanOrEqual(PROTOCOL_VERSION);
  });

  it("goes with exactly one shape of frames and op arguments: change one, change the other", () => {
    expect({ version: PROTOCOL_VERSION, fingerprint: fingerprint() }).toMatchInlineSnapshot(`
      {
        "fingerprint": "bb123add50b4180a",
        "version": 12,
      }
    `);
  });
});
