import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { castOf, readLines, withMention } from "./lines.ts";

const own = fileURLToPath(new URL("lines.ndjson", import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "causeway-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const ndjson = (...texts: string[]): string =>
  texts.map((text) => `${JSON.stringify({ at: 1, nick: "Ana", text })}\n`).join("");

describe("lines to post", () => {
  test("our own file has 280 that can be posted", async () => {
    const lines = await readLines(own, 280);
    expect(lines[0]?.nick).toBe("Mara");
    expect(lines.at(-1)?.text).toContain("good night");
    expect(new Set(lines.map(({ nick }) => nick)).size).toBe(12);
  });

  test("come plain and gzipped", async () => {
    const plain = await readLines(fileOf("a.ndjson", ndjson("one", "two")), 2);
    const packed = await readLines(fileOf("a.ndjson.gz", gzipSync(ndjson("one", "two"))), 2);
    expect(packed).toEqual(plain);
    expect(plain.map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("start again from the top where the file is short", async () => {
    const lines = await readLines(fileOf("b.ndjson", ndjson("one", "two")), 5);
    expect(lines.map(({ text }) => text)).toEqual(["one", "two", "one", "two", "one"]);
  });

  test("are passed over where they can't be posted", async () => {
    const lines = await readLines(fileOf("c.ndjson", ndjson("  ", "x".repeat(8_001), "ok")), 1);
    expect(lines.map(({ text }) => text)).toEqual(["ok"]);
  });

  test.each([
    ["none.ndjson", "\n\n", "has no line like"],
    ["bad.ndjson", `${ndjson("one")}not json\n`, "bad.ndjson, line 2 is not JSON"],
    ["bad.ndjson.gz", "not gzip", "incorrect header check"],
  ])("%s is refused", async (name, content, message) => {
    await expect(readLines(fileOf(name, content), 2)).rejects.toThrow(message);
  });

  test("that aren't there are reported", async () => {
    await expect(readLines(join(folder, "missing.ndjson.gz"), 1)).rejects.toThrow("ENOENT");
  });
});

describe("the cast", () => {
  const said = (nick: string, times: number) => Array.from({ length: times }, () => ({ nick, text: "x" }));
  const lines = [...said("rare", 1), ...said("often", 5), ...said("some", 3), ...said("less", 2)];

  test("gives those who speak most a person each, and shares out the others' lines", () => {
    const { names, personOf } = castOf(lines, 2);
    expect(names).toEqual(["often", "some"]);
    expect(personOf.get("often")).toBe(0);
    // "less" brings "some" level with "often"; "rare" then goes to the first of the two.
    expect(personOf.get("less")).toBe(1);
    expect(personOf.get("rare")).toBe(0);
  });

  test("is filled up where there are more people than nicks", () => {
    expect(castOf(said("one", 1), 3).names).toEqual(["one", "Crew 2", "Crew 3"]);
  });
});

test.each([
  ["Ana: look", "@Ana: look"],
  ["Ana, look", "@Ana, look"],
  ["Eve: look", "Eve: look"],
  ["well: Ana", "well: Ana"],
])("%s is posted as %s", (text, posted) => {
  expect(withMention(text, new Set(["Ana"]))).toBe(posted);
});
