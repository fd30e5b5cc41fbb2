import { describe, expect, test } from "vitest";
import { parseOptions, shorter } from "./options.ts";

describe("the command line of simulate", () => {
  test("says the issue's figures", () => {
    const args = ["--people", "20", "--messages", "2000", "--from", "lines.ndjson.gz", "--cuts", "40", "--kills", "3"];
    expect(parseOptions(args, 7)).toEqual({
      people: 20,
      messages: 2000,
      channels: 4,
      cuts: 40,
      kills: 3,
      seed: 7,
      pace: 15,
      from: "lines.ndjson.gz",
      url: null,
      keep: false,
      control: "after",
    });
  });

  test("has a default for everything", () => {
    expect(parseOptions([], 1)).toMatchObject({ people: 12, messages: 280, from: null, seed: 1 });
  });

  test.each([
    ["--control", "only"],
    ["--no-control", "none"],
  ] as const)("%s means %s", (flag, control) => {
    expect(parseOptions([flag], 1).control).toBe(control);
  });

  test.each([
    [["--people", "1"], "--people 1: a whole number from 2 to 100 is needed"],
    [["--messages", "many"], "--messages many: a whole number"],
    [["--cuts", ""], "--cuts : a whole number"],
    [["--url", "chat.example"], "--url chat.example: an address"],
    [["--url", "https://chat.example"], "--url https://chat.example: an address"],
    [["--url", "http://localhost:1", "--kills", "2"], "--kills needs a server of our own"],
    [["--poeple", "2"], "Unknown option '--poeple'"],
  ])("%j is refused with a sentence", (args, sentence) => {
    expect(() => parseOptions(args, 1)).toThrow(sentence);
  });

  test("a server that isn't ours is never killed", () => {
    expect(parseOptions(["--url", "http://localhost:8787"], 1)).toMatchObject({
      url: "http://localhost:8787",
      kills: 0,
    });
  });

  test("the control that follows is shorter and still has cuts", () => {
    const options = parseOptions(["--people", "20", "--messages", "2000", "--cuts", "40", "--kills", "3"], 1);
    expect(shorter(options)).toMatchObject({ people: 8, messages: 240, channels: 2, cuts: 24, kills: 1 });
    expect(shorter(parseOptions(["--cuts", "0"], 1)).cuts).toBe(12);
  });
});
