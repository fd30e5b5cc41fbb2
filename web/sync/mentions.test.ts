import { describe, expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { asTyped, withMentions } from "./mentions.ts";

const people = [
  { user: "u1" as UserId, name: "Ana" },
  { user: "u2" as UserId, name: "Ana Maria" },
  { user: "u3" as UserId, name: "Zoë" },
  { user: "u4" as UserId, name: "李雷" },
  { user: "u5" as UserId, name: "İpek" },
  { user: "u6" as UserId, name: "j.doe" },
];

describe("what people type", () => {
  it.each([
    ["@Ana hi", "<@u1> hi", ["u1"]],
    ["hi @ana maria!", "hi <@u2>!", ["u2"]],
    ["@Ana Marias tent", "<@u1> Marias tent", ["u1"]],
    ["@Anabel", "@Anabel", []],
    ["mail ana@Ana.example", "mail ana@Ana.example", []],
    ["https://social.example/@ana, @Zoë", "https://social.example/@ana, <@u3>", ["u3"]],
    ["www.tube.example/@ana. @ana", "www.tube.example/@ana. <@u1>", ["u1"]],
    ["[me](http://a.example/x/@Ana/1) and/@Ana", "[me](http://a.example/x/@Ana/1) and/<@u1>", ["u1"]],
    ["@j.doe/@Zoë: @Ana/@j.doe/@Ana", "<@u6>/<@u3>: <@u1>/<@u6>/<@u1>", ["u6", "u3", "u1"]],
    ["@j.doe@Ana x.example/@j.doe/@Ana", "<@u6>@Ana x.example/@j.doe/@Ana", ["u6"]],
    ["(@Zoë, @李雷)", "(<@u3>, <@u4>)", ["u3", "u4"]],
    ["@Ana @Ana", "<@u1> <@u1>", ["u1"]],
    ["@@Ana", "@<@u1>", ["u1"]],
    ["@", "@", []],
    ["nobody", "nobody", []],
    ["pasted <@u9>", "pasted <@u9>", ["u9"]],
    // One letter in upper case, two in lower case.
    ["İzmir, @Ana", "İzmir, <@u1>", ["u1"]],
    ["İİİİİİ Ana, @Zed", "İİİİİİ Ana, @Zed", []],
    ["@İpek: @ana", "<@u5>: <@u1>", ["u5", "u1"]],
  ])("%s", (typed, text, mentions) => {
    expect(withMentions(typed, people)).toEqual({ text, mentions });
  });

  it("no name is taken from a person without one", () => {
    expect(withMentions("@ hello", [{ user: "u" as UserId, name: "" }]).text).toBe("@ hello");
  });
});

describe("two people of one name", () => {
  const one = { user: "01890000-aaaaaa" as UserId, name: "Sam Lee" };
  const other = { user: "01890000-bbbbbb" as UserId, name: "sam lee" };
  const all = [one, other, ...people];

  it("each stands in a text being typed so that it becomes that person again", () => {
    const text = "<@01890000-bbbbbb> and <@01890000-aaaaaa>, <@u1>, <@gone>";
    const typed = asTyped(text, all);
    expect(typed).toBe("@sam lee#bbbbbb and @Sam Lee#aaaaaa, @Ana, <@gone>");
    expect(withMentions(typed, all).text).toBe(text);
    // While it was a draft one of them was given another name, or was deactivated: it names nobody else for that.
    for (const later of [
      { ...one, name: "Alex" },
      { ...one, isAway: true },
    ])
      expect(withMentions(typed, [later, other, ...people]).text).toBe(text);
  });

  it.each([
    ["@Sam Lee", "<@01890000-aaaaaa>"],
    ["@SAM LEE#BBBBBB", "<@01890000-bbbbbb>"],
    ["@Sam Lee#bbbbbbb", "<@01890000-aaaaaa>#bbbbbbb"],
    ["@Ana#u1", "<@u1>"],
  ])("%s", (typed, text) => {
    expect(withMentions(typed, all).text).toBe(text);
  });
});
