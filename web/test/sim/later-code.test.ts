import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const client = fileURLToPath(new URL("../../", import.meta.url));

/** The modules that a file names in a pattern's group. */
function named(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, "utf8").matchAll(pattern)].map(([, path = ""]) => basename(path));
}

it("all code of the client that comes later is loaded before a world's time goes by", () => {
  const loaded = named(`${client}test/sim/later-code.ts`, /^import "(.*)";$/gm);
  const files = globSync(["store/**/*.ts", "sync/**/*.ts"], { cwd: client }).filter(
    (file) => !/\.test\.ts$|\.d\.ts$/.test(file),
  );
  const later = files.flatMap((file) => named(client + file, /\bimport\("(.*?)"\)/g));
  expect(later).not.toHaveLength(0);
  expect([...new Set(later)].toSorted()).toEqual(loaded.toSorted());
});
