import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { isEmoji } from "./emoji.ts";
import { isPlainId } from "./id-forms.ts";
import { channelId, type UserId } from "./ids.ts";
import { messageEdit } from "./ops/message-edit.ts";
import { messagePost } from "./ops/message-post.ts";
import { parse } from "./parse.ts";
import { suggestChannelName } from "./channel-name.ts";
import { mentionOf, mentionsIn, normalise, readMessage, withNames } from "./text.ts";
import { channelName, messageText, personName } from "./text-schema.ts";

describe("message text", () => {
  it("drops control characters, makes CRLF one break, composes and trims", () => {
    expect(normalise(" a\u0000b\r\n\tc\u009F e\u0301 ")).toBe("ab\n\tc \u00E9");
  });

  it("replaces half a surrogate pair, which UTF-8 can't carry", () => {
    expect(normalise("a\uD83Db")).toBe("a\uFFFDb");
    expect(normalise("a\u{1F642}b")).toBe("a\u{1F642}b");
  });

  it.each([
    ["zero width spaces and byte order marks", "\u200B\uFEFF\u2060"],
    ["joiners and variation selectors", "\u200C\u200D\uFE0F\u{E0100}"],
    ["soft hyphens and marks of direction", "\u00AD\u200E\u202E\u2066\u061C"],
    ["fillers and the empty Braille cell", "\u3164\u115F\u2800 \u{E0020}"],
    ["those between spaces", " \u00A0\u200B\n\t\u2003\u200B "],
  ])("is empty where nothing of it can be seen, and refused: %s", (_, text) => {
    expect(normalise(text)).toBe("");
    const id = "0198c0de-0000-7000-8000-000000000001";
    const empty = { ok: false, error: { code: "invalid" } };
    expect(readMessage(text, [])).toMatchObject(empty);
    expect(parse(messagePost.args, { id, text })).toMatchObject(empty);
    expect(parse(messageEdit.args, { id, text, base: 0 })).toMatchObject(empty);
  });

  it.each([
    "\u{1F469}\u200D\u{1F680}",
    "\u2764\uFE0F",
    "\u0646\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
    "a\u200Bb",
    "\u0301",
  ])("keeps what can't be seen in what can: %j", (text) => {
    expect(normalise(text)).toBe(text);
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

describe("a message read without its schema", () => {
  const id = "0198c0de-0000-7000-8000-000000000001";
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", " \r\n", "\u0000"), long());
  const people = fc.nat({ max: 60 }).map((count) => Array.from({ length: count }, (_, at) => `user-${at}` as UserId));

  /** Around the limit, where a character more or less decides. */
  function long(): fc.Arbitrary<string> {
    return fc.integer({ min: -3, max: 3 }).map((by) => ` ${"a".repeat(8_000 + by)} `);
  }

  it("is what the schema of the op makes of it, or refused as it refuses", () => {
    fc.assert(
      fc.property(text, people, (typed, mentions) => {
        const byHand = readMessage(typed, mentions);
        const bySchema = parse(messagePost.args, { id, text: typed, mentions });
        expect(byHand.ok).toBe(bySchema.ok);
        if (byHand.ok && bySchema.ok) expect(byHand.value).toBe(bySchema.value.text);
        if (!byHand.ok && !bySchema.ok) expect(byHand.error.code).toBe(bySchema.error.code);
      }),
    );
  });
});

describe("an id read without its schema", () => {
  it("is one where the schema says so", () => {
    const near = fc.string({ unit: fc.constantFrom("a", "Z", "0", "-", "_", ".", "\n", "é"), maxLength: 70 });
    fc.assert(fc.property(near, (text) => isPlainId(text) === v.is(channelId, text)));
    expect(isPlainId("a".repeat(64))).toBe(true);
    expect(isPlainId("a".repeat(65))).toBe(false);
  });
});

describe("names", () => {
  it.each(["general", "größe", "دردشة", "日本語-2", "नमस्ते", "a_b"])("a channel may be called %s", (name) => {
    expect(v.safeParse(channelName, name).success).toBe(true);
  });

  it.each(["", "two words", "General", "a.b", "#x", "<b>", "\uFE0F", "gen\u034Feral", "\u3164", "a".repeat(81)])(
    "a channel can't be called %j",
    (name) => {
      expect(v.safeParse(channelName, name).success).toBe(false);
    },
  );

  it("makes of what was typed the nearest name a channel may have", () => {
    expect(suggestChannelName("  Lift Plan: Site B! ")).toBe("lift-plan-site-b");
  });

  it.each(["\u200B", "\u202Egnp.exe", "   ", "a\u2066b", "\u3164", "\u2800\u2800"])(
    "a person can't be called %j",
    (name) => {
      expect(v.safeParse(personName, name).success).toBe(false);
    },
  );
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
