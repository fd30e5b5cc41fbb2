import { expect, test } from "vitest";
import { fold, runOf, tokensOf } from "./fold.ts";

test.each([
  ["Crème Brûlée", "creme brulee"],
  ["STRASSE straße STRAẞE", "strasse strasse strasse"],
  ["Ærøskøbing Łódź Đặng", "aeroskobing lodz dang"],
  ["İstanbul ısı", "istanbul isi"],
  ["ΟΔΟΣ οδός", "οδοσ οδοσ"],
  ["Ёлка", "елка"],
  ["שָׁלוֹם", "שלום"],
  ["كِتَابٌ أحمد مدرسة", "كتاب احمد مدرسه"],
  ["ﬁne ＡＢＣ①", "fine abc1"],
  ["한국어", "한국어"],
  ["हिन्दी", "हिन्दी"],
])("%s is found by %s", (text, folded) => expect(fold(text)).toBe(folded));

test.each([
  ["apt-get update, don't!", ["apt", "get", "update", "don", "t"]],
  ["snake_case v1.2", ["snake", "case", "v1", "2"]],
  ["thanks <@u-1>!", ["thanks", "@u-1"]],
  ["<@not closed", ["not", "closed"]],
  ["東京タワー", ["東京", "京タ", "タワ", "ワー", "ー"]],
  ["Café👍🏽", ["cafe", "👍"]],
  ["½ cup", ["12", "cup"]],
  ["", []],
])("%s is made of %j", (text, terms) => expect(tokensOf(text).map(({ term }) => term)).toEqual(terms));

test("a token says where it stands in the text as written", () => {
  const text = "Ça va, Ana?";
  expect(tokensOf(text).map(({ from, to }) => text.slice(from, to))).toEqual(["Ça", "va", "Ana"]);
});

test.each([
  ["京", ["京"], true],
  ["京タ", ["京タ"], true],
  ["東京タ", ["東京", "京タ"], true],
  ["んん", ["んん"], true],
  ["crane", ["crane"], true],
  ["apt-get", ["apt", "get"], true],
])("%s asks for %j in a row", (text, terms, isOpen) => expect(runOf(text, true)).toEqual({ terms, isOpen }));

test("what holds no term asks for nothing", () => expect(runOf("--!", true)).toBeNull());
