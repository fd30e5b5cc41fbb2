import { describe, expect, it } from "vitest";
import { describe as describeError } from "./log.ts";
import { addressOf } from "./address.ts";

describe("a line of the log", () => {
  it("holds no address, token or quoted text, of an error or of its causes", () => {
    const cause = new Error('UNIQUE constraint failed: "user"."email" for ana@mail.example from 198.51.100.7');
    const error = new TypeError(
      "Bad token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJlLWhlcmU near 'dear Bo'",
      { cause },
    );
    const line = JSON.stringify(describeError(error));
    expect(line).not.toMatch(/ana@|198\.51|eyJ|dear Bo/);
    expect(line).toContain("TypeError");
    expect(line).toContain("UNIQUE constraint failed");
    expect(line).toMatch(/log\.room\.test/);
  });

  it("says what sort of thing was thrown that is no error, and nothing of it", () => {
    expect(describeError("ana@mail.example")).toEqual({ name: "string" });
    expect(describeError(null)).toEqual({ name: "object" });
  });
});

describe("where a call comes from", () => {
  it.each([
    ["198.51.100.7", "198.51.100.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::ffff:198.51.100.7", "198.51.100.7"],
  ])("counts %s as %s", (address, counted) => {
    expect(addressOf(new Request("https://chat.example", { headers: { "cf-connecting-ip": address } }))).toBe(counted);
  });
});
