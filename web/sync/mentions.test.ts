import { describe, expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { withMentions } from "./mentions.ts";

const people = [
  { user: "u1" as UserId, name: "Ana" },
  { user: "u2" as UserId, name: "Ana Maria" },
  { user: "u3" as UserId, name: "Zoë" },
  { user: "u4" as UserId, name: "李雷" },
];

describe("what people type", () => {
  it.each([
    ["@Ana hi", "<@u1> hi", ["u1"]],
    ["hi @ana maria!", "hi <@u2>!", ["u2"]],
    ["@Ana Marias tent", "<@u1> Marias tent", ["u1"]],
    ["@Anabel", "@Anabel", []],
    ["mail ana@Ana.example", "mail ana@Ana.example", []],
    ["(@Zoë, @李雷)", "(<@u3>, <@u4>)", ["u3", "u4"]],
    ["@Ana @Ana", "<@u1> <@u1>", ["u1"]],
    ["@@Ana", "@<@u1>", ["u1"]],
    ["@", "@", []],
    ["nobody", "nobody", []],
    ["pasted <@u9>", "pasted <@u9>", ["u9"]],
  ])("%s", (typed, text, mentions) => {
    expect(withMentions(typed, people)).toEqual({ text, mentions });
  });

  it("no name is taken from a person without one", () => {
    expect(withMentions("@ hello", [{ user: "u" as UserId, name: "" }]).text).toBe("@ hello");
  });
});
