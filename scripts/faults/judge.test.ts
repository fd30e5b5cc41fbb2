import { describe, expect, it } from "vitest";
import { type Evidence, isClean, judge, type Stands } from "./judge.ts";

const users = new Map([
  ["Ana", "u1"],
  ["Bo", "u2"],
]);
const stands = (seq: number, author: string, text: string): Evidence["room"][number] => ({
  seq,
  id: `m${seq}`,
  author: users.get(author) ?? author,
  text,
});
const ROOM = [stands(1, "Ana", "one"), stands(2, "Bo", "two"), stands(3, "Ana", "three")];
const asSeen = (room: readonly Stands[]): Evidence["members"] =>
  ["Ana", "Bo"].map((name) => ({
    name,
    screen: room.map((message) => ({ ...message, delivery: "sent" })),
    held: room,
    left: [],
  }));
const evidence = (changed: Partial<Evidence> = {}): Evidence => ({
  typed: [
    { author: "Ana", text: "one" },
    { author: "Bo", text: "two" },
    { author: "Ana", text: "three" },
  ],
  users,
  room: ROOM,
  members: asSeen(changed.room ?? ROOM),
  refused: [],
  early: [],
  ...changed,
});

describe("the judge", () => {
  it("finds nothing where everything stands once, in order, everywhere", () => {
    const verdict = judge(evidence());
    expect(verdict).toMatchObject({ messages: 3, findings: [] });
    expect(isClean(verdict)).toBe(true);
  });

  it.each<readonly [string, Partial<Evidence>, Record<string, number>]>([
    ["a message that stands nowhere is lost", { room: ROOM.slice(1) }, { lost: 1 }],
    ["one that stands twice is doubled", { room: [...ROOM, stands(4, "Bo", "two")] }, { doubled: 1 }],
    ["one that nobody wrote is doubled", { room: [...ROOM, stands(4, "Bo", "onetwo")] }, { doubled: 1 }],
    [
      "one that overtook another of its author is out of order",
      { room: [stands(1, "Ana", "three"), stands(2, "Bo", "two"), stands(3, "Ana", "one")] },
      { outOfOrder: 1 },
    ],
    ["what a composer didn't take is refused", { refused: ["four"] }, { refused: 1 }],
    ["what was shown as sent without an answer is early", { early: ["one"] }, { early: 1 }],
    [
      "a screen or a replica with a hole is unequal",
      { members: asSeen(ROOM).map((member, at) => (at === 0 ? { ...member, held: ROOM.slice(1) } : member)) },
      { unequal: 1 },
    ],
    [
      "a line that still waits is unequal",
      {
        members: asSeen(ROOM).map((member) => ({
          ...member,
          screen: member.screen.map((line) => ({ ...line, delivery: "queued" })),
        })),
      },
      { unequal: 2 },
    ],
    [
      "an old text on a device is unequal",
      {
        members: asSeen(ROOM).map((member) => ({ ...member, held: [...ROOM.slice(0, 2), stands(3, "Ana", "thre")] })),
      },
      { unequal: 2 },
    ],
    [
      "an edit that the room doesn't have is lost, and what it replaced was written by nobody",
      { typed: [...evidence().typed.slice(0, 2), { author: "Ana", text: "three, edited" }] },
      { lost: 1, doubled: 1 },
    ],
    [
      "what was deleted and stands there still was written by nobody",
      { typed: evidence().typed.slice(0, 2), deleted: ["three"] },
      { messages: 3, doubled: 1, unequal: 2 },
    ],
    ["an old text on a screen is unequal", { members: [{ ...asSeen(ROOM)[0]!, unshown: ["three"] }] }, { unequal: 1 }],
    [
      "what is still in an outbox is left",
      { members: asSeen(ROOM).map((member) => ({ ...member, left: ["one"] })) },
      { left: 2 },
    ],
  ])("%s", (_what, changed, found) => {
    const verdict = judge(evidence(changed));
    expect(verdict).toMatchObject(found);
    expect(isClean(verdict)).toBe(false);
  });

  it("finds nothing where one was deleted, and keeps its place", () => {
    const room = [ROOM[0]!, ROOM[1]!, { ...stands(3, "Ana", ""), isDeleted: true }];
    expect(judge(evidence({ room, typed: evidence().typed.slice(0, 2), deleted: ["three"] }))).toMatchObject({
      messages: 3,
      deleted: 1,
      findings: [],
    });
  });

  it("names a message under somebody else's name", () => {
    const room = [stands(1, "Bo", "one"), ...ROOM.slice(1)];
    expect(judge(evidence({ room })).findings).toEqual(['doubled: "one" stands under another name']);
  });
});
