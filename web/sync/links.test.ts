import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { LINKS_MAX, roomsToLink, type Candidate } from "./links.ts";

const room = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  room: name as RoomName,
  isOnScreen: false,
  isJoined: true,
  hasPending: false,
  lookedAt: 0,
  ...more,
});
const many = (count: number, more: (i: number) => Partial<Candidate> = () => ({})): Candidate[] =>
  Array.from({ length: count }, (_, i) => room(`r${i}`, more(i)));

describe("the rooms that are linked", () => {
  it("are all one is in, while there are few", () => {
    expect(roomsToLink(many(19)).size).toBe(19);
  });

  it("are those looked at last, up to 20 with the workspace's own", () => {
    const linked = roomsToLink(many(40, (i) => ({ lookedAt: i })));
    expect(linked.size).toBe(LINKS_MAX - 1);
    expect(linked.has("r39" as RoomName)).toBe(true);
    expect(linked.has("r20" as RoomName)).toBe(false);
  });

  it("hold what is on screen and what has something to send, joined or not", () => {
    const linked = roomsToLink([
      ...many(30, (i) => ({ lookedAt: i + 1 })),
      room("seen", { isOnScreen: true, isJoined: false }),
      room("full", { hasPending: true }),
    ]);
    expect([...linked].slice(0, 2)).toEqual(["seen", "full"]);
    expect(linked.size).toBe(LINKS_MAX - 1);
  });

  it("leave out channels that one only could join", () => {
    expect(roomsToLink([room("public", { isJoined: false })]).size).toBe(0);
  });
});
