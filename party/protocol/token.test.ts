import { describe, expect, it } from "vitest";
import type { ChannelId, WorkspaceId } from "./ids.ts";
import { parseRoom, parseRoomName, roomNameOf, roomPathOf } from "./room-name.ts";
import { permsFor, readClaims } from "./token.ts";

const now = 1_800_000_000;
const claims = { iss: "causeway", sub: "u", iat: now, exp: now + 3600, ws: "w", perms: { "channel:w_c": ["read"] } };

describe("the claims of a room token", () => {
  it.each<[string, object, number, string]>([
    ["are fine while it lasts", {}, now, "ok"],
    ["are fine 30 s after its end, for clocks that differ", {}, now + 3630, "ok"],
    ["have expired after that", {}, now + 3631, "expired"],
    ["are fine 30 s before it was made", {}, now - 30, "ok"],
    ["are not yet valid before that", {}, now - 31, "not-yet"],
    ["are not yet valid before nbf", { nbf: now + 600 }, now, "not-yet"],
    ["can't live longer than an hour", { exp: now + 3601 }, now, "lifetime"],
    ["can't live shorter than a minute", { exp: now + 59 }, now, "lifetime"],
    ["need an end", { exp: undefined }, now, "claims"],
    ["need a person", { sub: "" }, now, "claims"],
    ["need one workspace", { ws: "a_b" }, now, "claims"],
    ["know no such right", { perms: { "channel:w_c": ["own"] } }, now, "claims"],
    ["never make an owner", { role: "owner" }, now, "claims"],
    ["hold at most 1 KB about the person", { info: { name: "x".repeat(1100) } }, now, "claims"],
  ])("%s", (_what, change, at, outcome) => {
    const read = readClaims({ ...claims, ...change }, at);
    expect(read.ok ? "ok" : read.error).toBe(outcome);
  });
});

describe("what a token grants", () => {
  const workspace = "w" as WorkspaceId;
  const room = { party: "channel", workspace, channel: "c" as ChannelId } as const;

  it.each<[string, Record<string, ("read" | "write")[]>, readonly string[]]>([
    ["by name", { "channel:w_c": ["read"] }, ["read"]],
    ["by the star of its workspace", { "channel:w_*": ["read", "write"] }, ["read", "write"]],
    ["by the longest match", { "channel:w_*": ["read", "write"], "channel:w_c": ["read"] }, ["read"]],
    ["nothing where the longest match is empty", { "channel:w_*": ["read"], "channel:w_c": [] }, []],
    ["nothing for another workspace's star", { "channel:v_*": ["read"] }, []],
    ["nothing for any other star", { "*": ["read"], "channel:*": ["read"], "channel:w_c*": ["read"] }, []],
  ])("%s", (_what, perms, granted) => {
    expect(permsFor({ ws: workspace, perms }, room)).toEqual(granted);
  });

  it("[RM4] nothing in a room of another workspace, whatever its perms say", () => {
    expect(permsFor({ ws: "v" as WorkspaceId, perms: { "channel:w_c": ["read"] } }, room)).toEqual([]);
  });

  it("nothing in the workspace room by the star for channels", () => {
    expect(permsFor({ ws: workspace, perms: { "channel:w_*": ["read"] } }, { party: "workspace", workspace })).toEqual(
      [],
    );
  });
});

describe("names of rooms", () => {
  it("go there and back", () => {
    for (const name of ["workspace:w", "channel:w_c", "channel:w_dm-abc"]) {
      const room = parseRoomName(name);
      expect(room && roomNameOf(room)).toBe(name);
    }
    expect(roomPathOf(parseRoom("channel", "w_c")!)).toBe("/parties/channel/w_c");
  });

  it.each([
    "workspace:",
    "workspace:a_b",
    "channel:w",
    "channel:w_c_d",
    "channel:w_../x",
    "lobby:w",
    "w",
    "channel:w_c%20",
  ])("%s is none", (name) => {
    expect(parseRoomName(name)).toBeNull();
  });
});
