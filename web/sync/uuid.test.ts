import * as fc from "fast-check";
import { expect, test } from "vitest";
import { UUID } from "uuidv7";
import { uuidv7 } from "./uuid.ts";

test("the example of RFC 9562, A.6", () => {
  const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
  expect(uuidv7(0x017f22e279b0, random)).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
});

test("every time and every randomness give a well-formed version 7", () => {
  const random = fc.uint8Array({ minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 48 - 1 }), random, (at, bytes) => {
      const id = UUID.parse(uuidv7(at, bytes));
      expect([id.getVersion(), id.getVariant()]).toEqual([7, "VAR_10"]);
      expect(uuidv7(at, bytes).replaceAll("-", "").slice(0, 12)).toBe(at.toString(16).padStart(12, "0"));
    }),
  );
});
