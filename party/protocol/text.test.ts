import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { isEmoji } from "./emoji.ts";
import type { UserId } from "./ids.ts";
import { parse } from "./parse.ts";
import {
  channelName,
  mentionOf,
  mentionsIn,
  messageText,
  normalise,
  personName,
  suggestChannelName,
  withNames,
} from "./text.ts";

describe("message text", () => {
  it("drops control characters, makes CRLF one break, composes and trims", () => {
    expect(normalise(" a\u0000b\r\n\tc\u009F e\u0301 ")).toBe("ab\n\tc \u00E9");
  });

  it("replaces half a surrogate pair, which UTF-8 can't carry", () => {
    expect(normalise("a\uD83Db")).toBe("a\uFFFDb");
    expect(normalise("a\u{1F642}b")).toBe("a\u{1F642}b");
  });

  it("is the same when normalised again, by the room after the browser", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => normalise(normalise(text)) === normalise(text)));
  });

  it("may have 8,000 UTF-16 units and not one more", () => {
    expect(v.safeParse(messageText, "a".repeat(8_000)).success).toBe(true);
    expect(parse(messageText, "a".repeat(8_001))).toMatchObject({
      ok: false,
      error: { code: "too_long", detail: "This message has 8,001 characters; the limit is 8,000." },
    });
  });
});

describe("names", () => {
  it.each(["general", "größe", "دردشة", "日本語-2", "नमस्ते", "a_b"])("a channel may be called %s", (name) => {
    expect(v.safeParse(channelName, name).success).toBe(true);
  });

  it.each(["", "two words", "General", "a.b", "#x", "<b>", "a".repeat(81)])("a channel can't be called %j", (name) => {
    expect(v.safeParse(channelName, name).success).toBe(false);
  });

  it("makes of what was typed the nearest name a channel may have", () => {
    expect(suggestChannelName("  Lift Plan: Site B! ")).toBe("lift-plan-site-b");
  });

  it.each(["\u200B", "\u202Egnp.exe", "   ", "a\u2066b"])("a person can't be called %j", (name) => {
    expect(v.safeParse(personName, name).success).toBe(false);
  });
});

describe("mentions", () => {
  const ana = "ana-1" as UserId;

  it("stand in the text by id, each person once", () => {
    expect(mentionsIn(`${mentionOf(ana)} and <@bo_2> and ${mentionOf(ana)}, not <@> or <!x>`)).toEqual([ana, "bo_2"]);
  });

  it("show the name people have now, or stay as they are where nobody is known", () => {
    expect(withNames(`hi ${mentionOf(ana)} <@x>`, (user) => (user === ana ? "Ana" : undefined))).toBe("hi @Ana <@x>");
  });
});

describe("an emoji", () => {
  it.each(["👍", "❤️", "👨‍👩‍👧", "🇩🇪", "1️⃣", "👍🏽", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])("is %s", (text) => {
    expect(isEmoji(text)).toBe(true);
  });

  it.each(["", "1", "ab", "👍👍", "❤", "©", " 👍", "<b>"])("is not %j", (text) => {
    expect(isEmoji(text)).toBe(false);
  });
});
