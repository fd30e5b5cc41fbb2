import { describe, expect, it } from "vitest";
import type { DownFrame } from "#protocol/down.ts";
import { writeFrame } from "#protocol/frame.ts";
import type { Heads } from "#protocol/frames/welcome.ts";
import { PAGE_MIN_BYTES } from "#protocol/limits.ts";
import { OLGA, Team } from "../test/people.ts";

const CHANNELS = 200;
const SLOW = { since: null, bytes: PAGE_MIN_BYTES };

/** A workspace of many channels, in each of which something was posted. */
async function withChannels(): Promise<Team> {
  const team = await Team.make();
  const olga = await team.enter(OLGA, team.workspace);
  for (let index = 0; index < CHANNELS; index += 1) {
    const id = team.town.newId();
    team.town.now += 200;
    await olga.op("channel.create", { id, access: "public", name: `c${index}` });
    await team.call("POST", "bump", { channel: id, seq: 2, top: 2, rev: 2, at: 1, author: OLGA });
  }
  await team.town.pass(60_000);
  return team;
}

const sizeOf = (frame: DownFrame): number => writeFrame(frame).length;

describe("[SY2] a line that bears little", () => {
  it("is greeted in few bytes, and pulls the heads that these had no room for as small", async () => {
    const team = await withChannels();
    const fresh = await team.enter(OLGA, team.workspace, SLOW);
    const welcome = fresh.wire.last("welcome");
    expect(sizeOf(welcome)).toBeLessThan(2 * PAGE_MIN_BYTES);
    let page: Heads | undefined = welcome.heads;
    expect(page?.more).toBe(true);
    const told = new Set<string>();
    for (let pulls = 0; page !== undefined; pulls += 1) {
      expect(pulls).toBeLessThan(CHANNELS);
      for (const channel of Object.keys(page.list)) told.add(channel);
      if (!page.more) break;
      await fresh.wire.say({ t: "pull", heads: page.counter, bytes: PAGE_MIN_BYTES });
      const next = fresh.wire.last("heads");
      expect(sizeOf(next)).toBeLessThan(PAGE_MIN_BYTES + 100);
      page = next;
    }
    expect(told.size).toBe(CHANNELS + 1);
  });

  it("is told of as many people as it bears, the active ones first; another of as many as are ever named", async () => {
    const team = await Team.make();
    for (let index = 0; index < 530; index += 1) {
      const away = await team.enter(await team.invite(`u${index}`), team.workspace);
      if (index < 500) await away.wire.say({ t: "signal", kind: "presence", state: "away" });
    }
    const slow = await team.enter(OLGA, team.workspace, SLOW);
    const { present } = slow.wire.last("welcome");
    expect(present.length).toBeLessThan(150);
    expect(present.filter(({ state }) => state === "active").length).toBe(31);
    const first = await team.enter(OLGA, team.workspace, { since: null, bytes: 16 * 1_024 });
    expect(first.wire.last("welcome").present).toHaveLength(500);
  }, 60_000);

  it("that says nothing of itself, as before version 5, has all at once", async () => {
    const team = await withChannels();
    const fresh = await team.enter(OLGA, team.workspace);
    expect(Object.keys(fresh.wire.last("welcome").heads?.list ?? {})).toHaveLength(CHANNELS + 1);
  });
});
