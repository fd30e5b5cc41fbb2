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
  ["Ana ❤\uFE0F 葛\u{E0100}飾", "ana ❤ 葛飾"],
  ["ｶﾞｲﾄﾞ カ\u3099イト\u3099", "ガイド ガイド"],
])("%s is found by %s", (text, folded) => expect(fold(text)).toBe(folded));

test.each([
  ["apt-get update, don't!", ["apt", "get", "update", "don", "t"]],
  ["snake_case v1.2", ["snake", "case", "v1", "2"]],
  ["thanks <@u-1>!", ["thanks", "@u-1"]],
  ["<@not closed", ["not", "closed"]],
  ["東京タワー", ["東京", "京タ", "タワ", "ワー", "ー"]],
  ["Café👍🏽", ["cafe", "👍"]],
  ["½ cup", ["12", "cup"]],
  ["⚠\uFE0FAchtung ❤\uFE0E\uFE0Fyou", ["⚠", "achtung", "❤", "you"]],
  ["1\uFE0F\u20E3First 2\u20E3second #\uFE0F\u20E3third", ["1", "first", "2", "second", "third"]],
  ["fooℹ\uFE0FInfo ℹbar", ["foo", "ℹ", "info", "ℹ", "bar"]],
  ["❤\uFE0F\u200D🔥hot ∪\uFE00up", ["❤", "🔥", "hot", "up"]],
  ["⚠\uFE0F東京", ["⚠", "東京", "京"]],
  ["葛\u{E0100}飾区 日\u20DD本", ["葛飾", "飾区", "区", "日本", "本"]],
  ["ｶﾞｲﾄﾞ", ["ガイ", "イド", "ド"]],
  ["カ\u3099イト\u3099", ["ガイ", "イド", "ド"]],
  // A shaping selector stands inside a word of Mongolian; a slashed zero inside a number.
  ["\u1830\u1820\u1822\u180B\u1828 10\uFE000", ["\u1830\u1820\u1822\u1828", "100"]],
  ["", []],
])("%s is made of %j", (text, terms) => expect(tokensOf(text).map(({ term }) => term)).toEqual(terms));

test("a token says where it stands in the text as written", () => {
  const text = "Ça va, Ana?";
  expect(tokensOf(text).map(({ from, to }) => text.slice(from, to))).toEqual(["Ça", "va", "Ana"]);
});

test("a token takes its selectors along, and is taken from where its letters stand", () => {
  const text = "⚠\uFE0FAchtung 1\uFE0F\u20E3 葛\u{E0100}飾区 ｶﾞｲﾄﾞ";
  expect(tokensOf(text).map(({ from, to }) => text.slice(from, to))).toEqual([
    "⚠\uFE0F",
    "Achtung",
    "1\uFE0F\u20E3",
    "葛\u{E0100}飾",
    "飾区",
    "区",
    "ｶﾞｲ",
    "ｲﾄﾞ",
    "ﾄﾞ",
  ]);
});

test.each([
  ["京", ["京"], true],
  ["京タ", ["京タ"], true],
  ["東京タ", ["東京", "京タ"], true],
  ["んん", ["んん"], true],
  ["crane", ["crane"], true],
  ["apt-get", ["apt", "get"], true],
  ["葛\u{E0100}", ["葛"], true],
  ["葛飾\u{E0100}", ["葛飾"], true],
  ["ｶﾞｲﾄﾞ", ["ガイ", "イド"], true],
  ["⚠\uFE0F", ["⚠"], true],
])("%s asks for %j in a row", (text, terms, isOpen) => expect(runOf(text, true)).toEqual({ terms, isOpen }));

test("what holds no term asks for nothing", () => expect(runOf("--!", true)).toBeNull());
