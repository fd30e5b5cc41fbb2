import { expect, test } from "vitest";
import { runOf } from "../../sync/search/fold.ts";
import { EVERYTHING, type Query } from "../../sync/search/query.ts";
import { snippetOf } from "./snippet.ts";

const ask = (...asked: readonly string[]): Query => ({
  ...EVERYTHING,
  clauses: asked.map((piece) => ({ isExcluded: false, ways: [runOf(piece, true)!] })),
});
const nameOf = (user: string): string | undefined => (user === "u1" ? "Ana" : undefined);
/** Hits in brackets. */
const shown = (text: string, query: Query | null): string =>
  snippetOf(text, query, nameOf)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join("");

test.each([
  ["The crane is up", ask("cran"), "The [cran]e is up"],
  ["Crème brûlée", ask("creme"), "[Crème] brûlée"],
  ["STRASSE Straße", ask("strasse"), "[STRASSE] [Straße]"],
  ["apt-get it", ask("apt-get"), "[apt-get] it"],
  ["東京タワーへ", ask("京タ"), "東[京タ]ワーへ"],
  ["東京タワー", ask("京"), "東[京]タワー"],
  ["two\n\nlines  here", ask("here"), "two lines [here]"],
  ["lift lifting", ask("lift"), "[lift] [lift]ing"],
  ["hello <b>crane</b>", ask("crane"), "hello <b>[crane]</b>"],
  ["⚠\uFE0FAchtung", ask("acht"), "⚠\uFE0F[Acht]ung"],
  ["go ⚠\uFE0Fnow", ask("⚠"), "go [⚠\uFE0F]now"],
  ["1\uFE0F\u20E3First", ask("1"), "[1\uFE0F\u20E3]First"],
  ["in 葛\u{E0100}飾区", ask("葛飾"), "in [葛\u{E0100}飾]区"],
  ["ｶﾞｲﾄﾞ本", ask("ガイド"), "[ｶﾞｲﾄﾞ]本"],
  ["nothing asked", null, "nothing asked"],
])("%s", (text, query, expected) => expect(shown(text, query)).toBe(expected));

test("a mention is shown by name, and marked where its person was asked for", () => {
  const asked = ask("thanks");
  const mention = { isExcluded: false, ways: [{ terms: ["@u1"], isOpen: false }] };
  expect(shown("thanks <@u1>!", asked)).toBe("[thanks] @Ana!");
  expect(shown("thanks <@u1>!", { ...asked, clauses: [mention] })).toBe("thanks [@Ana]!");
  expect(shown("<@gone> thanks", asked)).toBe("<@gone> [thanks]");
});

test("of a long text it shows the words around the first hit, and that there is more", () => {
  const text = `${"before ".repeat(60)}crane ${"after ".repeat(60)}`;
  const snippet = shown(text, ask("crane"));
  expect(snippet).toMatch(/^… before .*\[crane\] after .* …$/);
  expect(snippet.length).toBeLessThan(270);
  expect(shown("x".repeat(500), null)).toHaveLength(242);
});

test("what is left out isn't marked", () => {
  const query = ask("crane");
  expect(shown("crane lift", { ...query, clauses: query.clauses.map((made) => ({ ...made, isExcluded: true })) })).toBe(
    "crane lift",
  );
});
