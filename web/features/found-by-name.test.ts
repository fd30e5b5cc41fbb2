import { expect, test } from "vitest";
import { isPersonFound, isChannelFound } from "./found-by-name.ts";

test.each([
  ["Zoë Björk", "zoe", true],
  ["Zoe", "Zoë", true],
  ["Zoë Björk", " BJO ", true],
  ["Søren", "soren", true],
  ["Zoë", "", true],
  ["Zoë", "zoo", false],
])("%s is found by “%s”: %s", (name, typed, isFound) => expect(isPersonFound(name, typed)).toBe(isFound));

test.each([
  ["dry-dock", "dry dock", true],
  ["dry_dock", "dry dock", true],
  ["dry-dock", "#Dry-D", true],
  ["café", " # cafe ", true],
  ["dry-dock", "dry ", true],
  ["drydock", "dry dock", false],
])("#%s is found by “%s”: %s", (name, typed, isFound) => expect(isChannelFound(name, typed)).toBe(isFound));
