import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { LINKS_MAX, VISITS_GAP_MS, VISITS_MAX, roomsToLink, type Candidate } from "./links.ts";

const NOW = 10_000_000;
const room = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  room: name as RoomName,
  isOnScreen: false,
  isJoined: true,
  hasPending: false,
  isBehind: false,
  lookedAt: 0,
  visitedAt: 0,
  isLinked: false,
  ...more,
});
const many = (count: number, more: (i: number) => Partial<Candidate> = () => ({})): Candidate[] =>
  Array.from({ length: count }, (_, i) => room(`r${i}`, more(i)));

describe("the rooms that are linked", () => {
  it("are all one is in, while there are few", () => {
    expect(roomsToLink(many(19), NOW).size).toBe(19);
  });

  it("are those looked at last, up to 20 with the workspace's own", () => {
    const linked = roomsToLink(
      many(40, (i) => ({ lookedAt: i })),
      NOW,
    );
    expect(linked.size).toBe(LINKS_MAX - 1);
    expect(linked.has("r39" as RoomName)).toBe(true);
    expect(linked.has("r20" as RoomName)).toBe(false);
  });

  it("hold what is on screen and what has something to send, joined or not", () => {
    const linked = roomsToLink(
      [
        ...many(30, (i) => ({ lookedAt: i + 1 })),
        room("seen", { isOnScreen: true, isJoined: false }),
        room("full", { hasPending: true }),
      ],
      NOW,
    );
    expect([...linked].slice(0, 2)).toEqual(["seen", "full"]);
    expect(linked.size).toBe(LINKS_MAX - 1);
  });

  it("leave out channels that one only could join", () => {
    expect(roomsToLink([room("public", { isJoined: false, isBehind: true })], NOW).size).toBe(0);
  });

  it("include a few of the others whose head moved, for a visit", () => {
    const rest = many(40, (i) => ({ lookedAt: 100 - i, isBehind: i >= 25 }));
    const linked = roomsToLink(rest, NOW);
    expect([...linked].slice(LINKS_MAX - 1)).toEqual(["r25", "r26", "r27", "r28"]);
    expect(linked.size).toBe(LINKS_MAX - 1 + VISITS_MAX);
  });

  it("visit none more often than every five minutes, and finish a visit before the next", () => {
    const rest = many(40, (i) => ({
      lookedAt: 100 - i,
      isBehind: i >= 25,
      visitedAt: i < 30 ? NOW - 60_000 : 0,
      isLinked: i === 39,
    }));
    expect([...roomsToLink(rest, NOW)].slice(LINKS_MAX - 1)).toEqual(["r39", "r30", "r31", "r32"]);
  });

  it("begin visits a few at a time, so that tokens are left for what is on screen", () => {
    const behind = many(60, () => ({ isBehind: true }));
    expect(roomsToLink(behind, NOW).size).toBe(LINKS_MAX - 1 + VISITS_MAX);
    expect(roomsToLink(behind, NOW, NOW - VISITS_GAP_MS + 1).size).toBe(LINKS_MAX - 1);
    expect(roomsToLink(behind, NOW, NOW - VISITS_GAP_MS).size).toBe(LINKS_MAX - 1 + VISITS_MAX);
  });
});
