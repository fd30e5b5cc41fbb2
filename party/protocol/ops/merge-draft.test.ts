import fc from "fast-check";
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
  ["one that stands already adds no line again", "- bread\n- milk", "- bread", "- bread\n- milk", "- bread\n- milk"],
  ["nor beside another's", "- bread\n- milk\nphone", "- bread", "- bread\n- milk", "- bread\n- milk\nphone"],
  ["typed anew as it was, it stands beside what became of it elsewhere", "half a", "half", "half", "half a\nhalf"],
  ["a dollar sign is a dollar sign", "a\nb", "a", "$& $1", "$& $1\nb"],
])("%s", (_, standing, over, text, merged) => {
  expect(mergeDraft(standing, over, text)).toBe(merged);
});

test("[OP4] a text that grew line by line is the same draft, however often it is written", () => {
  const written = fc.array(fc.stringMatching(/^[a-d]{1,3}$/), { minLength: 1, maxLength: 4 });
  const grown = fc.record({ beside: written, begun: written, added: written, above: fc.boolean() });
  fc.assert(
    fc.property(grown, ({ beside, begun, added, above }) => {
      const over = begun.join("\n");
      const text = [...begun, ...added].join("\n");
      const standing = (above ? [...beside, over] : [over, ...beside]).join("\n");
      const once = mergeDraft(standing, over, text);
      expect(mergeDraft(once, over, text)).toBe(once);
    }),
  );
});

test("two at the limit don't fit into one draft: the later one wins", () => {
  const long = "x".repeat(DRAFT_MAX_CHARS - 1);
  expect(mergeDraft(long, "", "new")).toBe("new");
});

describe("devices that write apart", () => {
  const moves = fc.array(fc.record({ by: fc.nat(2), act: fc.constantFrom("writes", "sends", "hears") }), {
    maxLength: 30,
  });

  /** Whether all that was written stands in the room, once every device has sent what it has. */
  const keepsAll = (merge: typeof mergeDraft) =>
    fc.property(moves, (steps) => {
      // What each device knows of the room, and what it shows on top of it.
      const devices = Array.from({ length: 3 }, () => ({ known: "", shown: "", isOpen: false }));
      const written: string[] = [];
      let room = "";
      for (const { by, act } of [...steps, ...devices.map((_, each) => ({ by: each, act: "sends" }))]) {
        const at = devices[by]!;
        if (act === "writes") {
          const line = `line ${written.length}`;
          written.push(line);
          at.shown = at.shown === "" ? line : `${at.shown}\n${line}`;
          at.isOpen = true;
        } else if (act === "hears") {
          at.shown = at.isOpen ? merge(room, at.known, at.shown) : room;
          at.known = room;
        } else if (at.isOpen) {
          room = merge(room, at.known, at.shown);
          [at.known, at.shown, at.isOpen] = [room, room, false];
        }
      }
      const lines = room.split("\n");
      return written.every((line) => lines.includes(line));
    });

  it("lose no line between them, whichever is heard first", () => {
    fc.assert(keepsAll(mergeDraft));
  });

  it("lose some where the later one wins", () => {
    const { failed } = fc.check(keepsAll((standing, _, text) => mergeDraft(standing, undefined, text)));
    expect(failed).toBe(true);
  });
});
