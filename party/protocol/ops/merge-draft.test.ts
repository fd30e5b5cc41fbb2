import { describe, expect, it, test } from "vitest";
import { DRAFT_MAX_CHARS } from "../limits.ts";
import { mergeDraft } from "./merge-draft.ts";

test.each<[string, standing: string, over: string | undefined, text: string, merged: string]>([
  ["a text takes the place of what it grew out of", "half", "half", "half a thought", "half a thought"],
  ["one that says nothing of what stood there wins, as the later one", "old", undefined, "new", "new"],
  ["where nothing stands there is nothing to join", "", "gone", "new", "new"],
  ["one written apart stands below", "on the laptop", "", "on the phone", "on the laptop\non the phone"],
  ["one that is the same stands once", "both", "", "both", "both"],
  ["one that is part of it already changes nothing", "a\nb\nc", "", "b", "a\nb\nc"],
  ["one that holds it already takes its place", "b", "", "a\nb\nc", "a\nb\nc"],
  ["words are no lines", "note", "", "notebook", "note\nnotebook"],
  [
    "what it grew out of changes at the top, what came below stays",
    "mine\nphone",
    "mine",
    "mine too",
    "mine too\nphone",
  ],
  ["and below what came above", "phone\nmine", "mine", "mine too", "phone\nmine too"],
  ["and between", "a\nmine\nb", "mine", "mine too", "a\nmine too\nb"],
  ["sent, it leaves what stands beside", "phone\nmine", "mine", "", "phone"],
  ["sent from the top as well", "mine\nphone", "mine", "", "phone"],
  ["sent from between as well", "a\nmine\nb", "mine", "", "a\nb"],
  ["sent whole, nothing stays", "mine", "mine", "", ""],
  ["taken away here, what was written elsewhere stays", "phone", "mine", "", "phone"],
  ["a dollar sign is a dollar sign", "a\nb", "a", "$& $1", "$& $1\nb"],
])("%s", (_, standing, over, text, merged) => {
  expect(mergeDraft(standing, over, text)).toBe(merged);
});

test("two at the limit don't fit into one draft: the later one wins", () => {
  const long = "x".repeat(DRAFT_MAX_CHARS - 1);
  expect(mergeDraft(long, "", "new")).toBe("new");
});

describe("devices that write apart", () => {
  /** What a device knows of the room, and what it shows on top of it. */
  const device = () => ({ known: "", shown: "", isOpen: false });

  /** Of 500 seeds those that end without a line that somebody wrote. */
  function lossy(merge: typeof mergeDraft): number[] {
    return Array.from({ length: 500 }, (_, seed) => seed).filter((seed) => {
      // A linear congruential generator: any will do, as long as a seed can be played again.
      let state = seed;
      const below = (n: number): number => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) % n;
      const devices = [device(), device(), device()];
      const written: string[] = [];
      let room = "";
      for (let step = 0; step < 30; step++) {
        const at = devices[below(devices.length)] ?? device();
        const act = below(3);
        if (act === 0) {
          const line = `line ${step}`;
          written.push(line);
          at.shown = at.shown === "" ? line : `${at.shown}\n${line}`;
          at.isOpen = true;
        } else if (act === 1 && at.isOpen) {
          room = merge(room, at.known, at.shown);
          [at.known, at.shown, at.isOpen] = [room, room, false];
        } else if (act === 2) {
          at.shown = at.isOpen ? merge(room, at.known, at.shown) : room;
          at.known = room;
        }
      }
      for (const at of devices) if (at.isOpen) room = merge(room, at.known, at.shown);
      const lines = room.split("\n");
      return written.some((line) => !lines.includes(line));
    });
  }

  it("lose no line between them, whichever is heard first", () => {
    expect(lossy(mergeDraft)).toEqual([]);
  });

  it("lose some where the later one wins", () => {
    expect(lossy((standing, _, text) => mergeDraft(standing, undefined, text))).not.toEqual([]);
  });
});
