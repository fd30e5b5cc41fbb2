import { expect, test } from "vitest";
import { joinPath, nextOf, readJoinPath } from "./paths-more.ts";
import { channelPath, readAddress, withNext } from "./paths.ts";

test.each([
  ["/w/team", { slug: "team", screen: "", rest: [] }],
  ["/w/team/", { slug: "team", screen: "", rest: [] }],
  ["/w/team/outbox", { slug: "team", screen: "outbox", rest: [] }],
  ["/w/team/c/", { slug: "team", screen: "c", rest: [] }],
  [channelPath("team", "c1"), { slug: "team", screen: "c", rest: ["c1"] }],
  [channelPath("team", "c1", "m1"), { slug: "team", screen: "c", rest: ["c1", "m1"] }],
  ["/w/gr%C3%B6%C3%9Fe", { slug: "größe", screen: "", rest: [] }],
  ["/w/%E0%A4%A", { slug: "%E0%A4%A", screen: "", rest: [] }],
  ["/w", null],
  ["/w/", null],
  ["/welcome", null],
  ["/", null],
])("%s is read as the address of a screen", (path, address) => {
  expect(readAddress(path)).toEqual(address);
});

test.each([
  [joinPath("a b/c"), "a b/c"],
  ["/join/", null],
  ["/join/a/b", null],
  ["/w/join", null],
])("%s is read as the address of an invitation", (path, code) => {
  expect(readJoinPath(path)).toBe(code);
});

test.each([
  [withNext("/sign-in", "/w/team?panel=members").split("?")[1] ?? "", "/w/team?panel=members"],
  ["next=https%3A%2F%2Fevil.example", "/"],
  ["next=%2F%2Fevil.example", "/"],
  ["next=%2F%5Cevil.example", "/"],
  ["", "/"],
])("after signing in, %s leads to a place of ours", (search, path) => {
  expect(nextOf(search)).toBe(path);
});
