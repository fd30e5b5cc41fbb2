import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  describe as inWords,
  hashOf,
  isClean,
  judge,
  misplaced,
  type Evidence,
  type Standing,
  type Written,
} from "./verdict.ts";

const none: ReadonlySet<string> = new Set();

function written(id: string, more: Partial<Written> = {}): Written {
  return { id, channel: "deck", author: "Ana", text: `text of ${id}`, isRemoved: false, reactions: none, ...more };
}

function standing(id: string, seq: number, more: Partial<Standing> = {}): Standing {
  const text = `text of ${id}`;
  return { id, seq, rev: seq, author: "Ana", text, isRemoved: false, isSystem: false, reactions: none, ...more };
}

/** Everybody holds what the room holds, unless said otherwise. */
function evidence(given: { written: Written[]; room: Standing[] } & Partial<Evidence>): Evidence {
  const rooms = new Map([["deck", given.room]]);
  return { rooms, replicas: new Map([["Ana", rooms]]), left: [], originals: new Map(), ...given };
}

const three = [written("a"), written("b"), written("c")];

describe("the verdict", () => {
  test("finds nothing where all is as written", () => {
    const verdict = judge(evidence({ written: three, room: [standing("a", 1), standing("b", 2), standing("c", 3)] }));
    expect(isClean(verdict)).toBe(true);
    expect(verdict.findings).toEqual([]);
    expect(inWords(verdict)).toBe("3 written: 0 lost, 0 doubled, 0 out of order, 1 replicas equal");
  });

  test("passes over the lines that rooms write themselves", () => {
    const room = [standing("system", 1, { isSystem: true }), standing("a", 2)];
    expect(isClean(judge(evidence({ written: [written("a")], room })))).toBe(true);
  });

  test("finds what is lost", () => {
    const verdict = judge(evidence({ written: three, room: [standing("a", 1), standing("c", 2)] }));
    expect(verdict).toMatchObject({ lost: 1, doubled: 0, outOfOrder: 0, unequal: 0 });
    expect(verdict.findings).toEqual(['lost: Ana wrote "text of b": it stands nowhere']);
  });

  test("doesn't miss what was taken back", () => {
    const all = [written("a"), written("b", { isRemoved: true }), written("c", { isRemoved: true })];
    const room = [standing("a", 1), standing("b", 2, { isRemoved: true, text: "" })];
    expect(isClean(judge(evidence({ written: all, room })))).toBe(true);
  });

  test("finds a copy under the same id", () => {
    const room = [standing("a", 1), standing("b", 2), standing("b", 3), standing("c", 4)];
    expect(judge(evidence({ written: three, room }))).toMatchObject({ lost: 0, doubled: 1, outOfOrder: 0 });
  });

  test("finds a copy under another id, where it is known to be one", () => {
    const room = [standing("a", 1), standing("b", 2), standing("b2", 3), standing("c", 4)];
    const verdict = judge(evidence({ written: three, room, originals: new Map([["b2", "b"]]) }));
    expect(verdict).toMatchObject({ lost: 0, doubled: 1, outOfOrder: 0 });
  });

  test("counts what nobody wrote as doubled", () => {
    const room = [standing("a", 1), standing("b", 2), standing("c", 3), standing("x", 4)];
    expect(judge(evidence({ written: three, room }))).toMatchObject({ lost: 0, doubled: 1 });
  });

  test("takes a message under another name for lost and for a stranger", () => {
    const room = [standing("a", 1, { author: "Ben" })];
    expect(judge(evidence({ written: [written("a")], room }))).toMatchObject({ lost: 1, doubled: 1 });
  });

  test("finds what is out of order, for each author by itself", () => {
    const all = [...three, written("x", { author: "Ben" })];
    const ben = standing("x", 1, { author: "Ben" });
    const room = [ben, standing("a", 2), standing("c", 3), standing("b", 4)];
    expect(judge(evidence({ written: all, room }))).toMatchObject({ lost: 0, doubled: 0, outOfOrder: 1 });
  });

  test("finds edits, deletions and reactions that don't show", () => {
    const verdict = judge(
      evidence({
        written: [
          written("a", { text: "new" }),
          written("b", { isRemoved: true }),
          written("c", { reactions: new Set(["👍 by Ben"]) }),
          written("d"),
        ],
        room: [
          standing("a", 1),
          standing("b", 2),
          standing("c", 3, { reactions: new Set(["🎉 by Ben"]) }),
          standing("d", 4, { isRemoved: true }),
        ],
      }),
    );
    expect(verdict.lost).toBe(5);
  });

  test("finds a replica that differs, and says where", () => {
    const room = [standing("a", 1), standing("b", 2), standing("c", 3)];
    const rooms = new Map([["deck", room]]);
    const behind = new Map([["deck", [standing("a", 1), standing("b", 2, { rev: 9 })]]]);
    const replicas = new Map([
      ["Ana", rooms],
      ["Ben", behind],
      ["Eve", new Map()],
    ]);
    const verdict = judge(evidence({ written: three, room, replicas }));
    expect(verdict).toMatchObject({ lost: 0, unequal: 2, replicas: 3 });
    expect(verdict.findings).toEqual([
      "unequal: Ben's replica: deck has 2 of 3; 1 missing, 1 differ (3 2)",
      "unequal: Eve's replica: deck has 0 of 3; 3 missing, 0 differ (1 2 3)",
    ]);
  });

  test("finds a hole in a room", () => {
    const verdict = judge(
      evidence({ written: [written("a"), written("b")], room: [standing("a", 1), standing("b", 3)] }),
    );
    expect(verdict).toMatchObject({ lost: 0, unequal: 1 });
  });

  test("isn't clean while anything is left in an outbox", () => {
    const verdict = judge(evidence({ written: [], room: [], left: ["Ana: message.edit refused: forbidden"] }));
    expect(verdict.left).toBe(1);
    expect(isClean(verdict)).toBe(false);
  });

  test("names the first few and counts the rest", () => {
    const many = Array.from({ length: 50 }, (_, at) => written(`m${at}`));
    const verdict = judge(evidence({ written: many, room: [] }));
    expect(verdict.lost).toBe(50);
    expect(verdict.findings).toHaveLength(6);
    expect(verdict.findings.at(-1)).toBe("… 50 in all");
  });
});

describe("how many are out of place", () => {
  test.each([
    [[], 0],
    [[1, 2, 3], 0],
    [[3, 1, 2], 1],
    [[3, 2, 1], 2],
    [[2, 1, 4, 3], 2],
  ])("%j: %i", (places, count) => {
    expect(misplaced(places)).toBe(count);
  });

  test("is none just when the list ascends", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat()), (places) => {
        const ascends = places.every((place, at) => at === 0 || place > places[at - 1]!);
        expect(misplaced(places) === 0).toBe(ascends);
        expect(misplaced(places.toSorted((a, b) => a - b))).toBe(0);
      }),
    );
  });
});

describe("the hash of a channel", () => {
  const room = [standing("a", 1), standing("b", 2)];

  test("doesn't depend on the order it is held in", () => {
    expect(hashOf(room.toReversed())).toBe(hashOf(room));
  });

  test.each([{ id: "x" }, { text: "x" }, { rev: 9 }, { seq: 9 }])("changes with %j", (change) => {
    expect(hashOf([standing("a", 1), { ...standing("b", 2), ...change }])).not.toBe(hashOf(room));
  });
});
