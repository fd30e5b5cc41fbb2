import { describe, expect, it } from "vitest";
import type { Read } from "#protocol/entities/my-state.ts";
import { BUMP_COMBINE_MS, BUMP_LAZY_MS, BUMP_POSTS_MAX } from "#protocol/limits.ts";
import { OLGA, Team } from "../test/people.ts";

function readOf(team: Team, user: string): Read | undefined {
  return team.directory.storage.rows.get(`e:read:${user}.general`) as Read | undefined;
}

describe("bumps", () => {
  it("[OP17] [SV2] that come late set nobody's read position back to their own post", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    team.town.isCut = true;
    await olga.post("Mine");
    await team.invite("mara");
    await (await team.enter("mara" as typeof OLGA)).post("Hers").catch(() => undefined);
    await directory.op("read.set", { channel: "general", seq: 9, base: 0 });
    team.town.isCut = false;
    await team.town.pass(60_000);
    await directory.again();
    expect(readOf(team, OLGA)?.seq).toBe(9);
  });

  it("[SV2] tell of a post at once, of other ops within half a minute", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    directory.wire.clear();
    await olga.op("message.post", { id: "m1", text: "One" });
    await team.town.quiet();
    expect(directory.wire.all("signal")).toMatchObject([
      { kind: "bump", channel: "general", seq: 2, top: 2, author: OLGA },
    ]);
    await team.town.pass(5_000);
    await olga.op("message.react", { id: "m1", emoji: "👍", on: true });
    await team.town.pass(BUMP_LAZY_MS);
    expect(directory.wire.all("signal")).toMatchObject([{ rev: 2 }, { rev: 3, top: 2 }]);
  });

  it("[SV2] of many posts are combined for a second", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    directory.wire.clear();
    for (let index = 0; index < 50; index += 1) await olga.post(`m${index}`);
    await team.town.pass(BUMP_COMBINE_MS);
    const bumps = directory.wire.all("signal");
    expect(bumps.length).toBeLessThanOrEqual(2);
    expect(bumps.at(-1)).toMatchObject({ seq: 51, top: 51 });
  });

  it("[SV1] come though the workspace couldn't be reached, and though the channel's room stopped", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    team.town.isCut = true;
    await olga.post("Into the dark");
    await team.town.pass(2_000);
    team.room().crash();
    team.town.isCut = false;
    expect(team.room().storage.alarm).not.toBeNull();
    await team.room().ring();
    const directory = await team.enter(OLGA, team.workspace);
    expect(directory.wire.last("welcome").heads?.list).toMatchObject({ general: { seq: 2, top: 2 } });
  });

  it("[SV1] the alarm comes to rest once all was delivered", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.post("One");
    await team.town.pass(60_000);
    team.room().sleep();
    await team.room().ring();
    await team.town.quiet();
    if (team.room().storage.alarm !== null) await team.room().ring();
    expect(team.room().storage.alarm).toBeNull();
    expect(team.room().storage.rows.get("s")).toMatchObject({ own: { bump: null } });
  });

  it("[SV2] of an older rev change nothing and write nothing; heads raise no rev", async () => {
    const team = await Team.make();
    const { storage } = team.directory;
    const bump = { channel: "general", seq: 7, top: 7, rev: 9, at: 1, author: OLGA };
    const stem = JSON.stringify(storage.rows.get("s"));
    await team.call("POST", "bump", bump);
    const before = storage.written;
    await team.call("POST", "bump", { ...bump, seq: 5, top: 5, rev: 8 });
    await team.call("POST", "bump", bump);
    expect(storage.written).toBe(before);
    expect(storage.rows.get("h:general")).toMatchObject({ seq: 7, rev: 9 });
    expect(JSON.stringify(storage.rows.get("s"))).toBe(stem);
  });

  it("[SV2] whose storing was taken for failed and was done are told all the same", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"), team.workspace);
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    const { storage } = team.directory;
    const commit = storage.commit.bind(storage);
    let isLost = true;
    storage.commit = async (puts, deletes) => {
      await commit(puts, deletes);
      if (isLost && "h:general" in puts) {
        isLost = false;
        throw new Error("Lost on the way back");
      }
    };
    const before = mara.wire.all("signal").length;
    await olga.post("Here");
    await team.town.pass(60_000);
    expect(isLost).toBe(false);
    expect(mara.wire.all("signal").slice(before)).toMatchObject([{ kind: "bump", channel: "general", top: 3 }]);
  });

  it("come in pages by their counter, after a welcome and by pull", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    await directory.op("channel.create", { id: "news", access: "public", name: "news" });
    await team.town.pass(60_000);
    await directory.again();
    const { heads } = directory.wire.last("welcome");
    expect(Object.keys(heads?.list ?? {}).toSorted()).toEqual(["general", "news"]);
    await directory.wire.say({ t: "pull", q: 5, heads: heads?.counter ?? 0 });
    expect(directory.wire.last("heads")).toMatchObject({ q: 5, list: {}, counter: heads?.counter, more: false });
  });
});

describe("[SV2] an author's read position", () => {
  it("moves to their own post if it stood at the one before, with no row for it, and any device that comes sees it", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    const before = team.directory.storage.written;
    await olga.post("One");
    await team.town.pass(BUMP_COMBINE_MS);
    await olga.post("Two");
    await team.town.pass(BUMP_COMBINE_MS);
    // Two heads and the net, which is set once in ten minutes.
    expect(team.directory.storage.written - before).toBeLessThanOrEqual(3);
    const phone = await team.enter(OLGA, team.workspace);
    expect(phone.wire.last("changes").entities).toContainEqual(expect.objectContaining({ kind: "read", seq: 3 }));
    expect(directory.wire.last("changes").entities).toMatchObject([{ kind: "read", seq: 3 }]);
    const written = team.directory.storage.written;
    await team.enter(OLGA, team.workspace);
    expect(team.directory.storage.written).toBe(written);
  });

  it("is told within half a minute to another device of theirs that listens, and keeps no room awake", async () => {
    const team = await Team.make();
    const laptop = await team.enter(OLGA, team.workspace);
    const phone = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    await olga.post("One");
    await team.town.pass(BUMP_COMBINE_MS);
    expect(team.directory.storage.alarm).toBeLessThanOrEqual(team.town.now + BUMP_LAZY_MS - BUMP_COMBINE_MS);
    team.directory.sleep();
    await team.directory.ring();
    for (const { wire } of [laptop, phone]) {
      expect(wire.last("changes").entities).toMatchObject([{ kind: "read", seq: 2 }]);
    }
  });

  it("goes along with whatever else they do here for themselves", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    await olga.post("One");
    await team.town.pass(BUMP_COMBINE_MS);
    const answer = await directory.op("draft.set", { channel: "general", text: "Tw" });
    expect(answer).toMatchObject({ entities: [{ kind: "draft" }, { kind: "read", seq: 2 }] });
  });

  it("costs nothing for an author whom nobody waits for", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.post("Once");
    await team.town.pass(60_000);
    const before = team.directory.storage.written;
    for (let index = 0; index < 20; index += 1) {
      await olga.post(`Message ${index}`);
      await team.town.pass(30_000);
    }
    expect(team.directory.storage.written - before).toBe(20);
  });

  it("stays few in a head's row, however many people post", async () => {
    const team = await Team.make();
    const posts = Array.from({ length: 64 }, (_, index) => ({ seq: index + 1, user: `u${index}` }));
    for (let round = 0; round < 4; round += 1) {
      const told = posts.map(({ seq }) => ({ seq: round * 64 + seq, user: `u${round}-${seq}` }));
      const top = (round + 1) * 64;
      await team.call("POST", "bump", { channel: "general", seq: top, top, rev: top, at: 1, posts: told });
    }
    expect(JSON.stringify(team.directory.storage.rows.get("h:general")).length).toBeLessThan(16_000);
  });

  it("stays where it is if others' posts before were not read", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await mara.post("Unread by Olga");
    await team.town.pass(5_000);
    await olga.post("Without looking");
    await team.town.pass(60_000);
    await team.enter(OLGA, team.workspace);
    await team.enter(mara.user, team.workspace);
    expect(readOf(team, OLGA)).toBeUndefined();
    expect(readOf(team, "mara")).toMatchObject({ seq: 3 });
  });

  it("stays where it is behind so many unread posts that the bump names none of them", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    const directory = await team.enter(OLGA, team.workspace);
    await olga.post("Mine");
    await team.town.pass(60_000);
    await directory.again();
    const before = readOf(team, OLGA)?.seq;
    team.town.isCut = true;
    const post = async (texts: number): Promise<void> => {
      for (let i = 0; i < texts; i += 1) {
        await mara.post(`Hers ${i}`);
        await team.town.pass(200);
      }
    };
    await post(BUMP_POSTS_MAX);
    await olga.post("Written without a network");
    await post(BUMP_POSTS_MAX - 1);
    team.town.isCut = false;
    await team.town.pass(120_000);
    await directory.again();
    expect([before, readOf(team, OLGA)?.seq]).toEqual([3, 3]);
  });

  it("is right for each of several authors in one combined bump", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    await olga.post("1");
    await olga.post("2");
    await mara.post("3");
    await olga.post("4");
    await team.town.pass(60_000);
    await team.enter(OLGA, team.workspace);
    await team.enter(mara.user, team.workspace);
    expect(readOf(team, OLGA)).toMatchObject({ seq: 4 });
    expect(readOf(team, "mara")).toBeUndefined();
  });

  it("is not moved back past what the person marked unread", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await olga.post("One");
    await team.town.pass(60_000);
    const base = readOf(team, OLGA)?.rev ?? 0;
    await directory.op("read.set", { channel: "general", seq: 0, base, unread: true });
    team.directory.crash();
    await team.enter(OLGA, team.workspace);
    await team.town.pass(60_000);
    expect(readOf(team, OLGA)).toMatchObject({ seq: 0 });
  });

  it("[OP17] once moved is still the one that an unread mark was based on, which comes behind the post", async () => {
    const team = await Team.make();
    const laptop = await team.enter(OLGA, team.workspace);
    const phone = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await laptop.op("read.set", { channel: "general", seq: 1, base: 0 });
    const base = readOf(team, OLGA)?.rev;
    for (const text of ["One", "Two"]) {
      await olga.post(text);
      await team.town.pass(BUMP_COMBINE_MS);
      await team.directory.ring();
    }
    expect(phone.wire.last("changes").entities).toMatchObject([{ kind: "read", seq: 3, setRev: base }]);
    const mark = { channel: "general", seq: 0, unread: true };
    await laptop.op("read.set", { ...mark, base });
    expect(readOf(team, OLGA)).toMatchObject({ seq: 0 });
    expect(readOf(team, OLGA)).not.toHaveProperty("setRev");
  });

  it("comes though the room slept before it was stamped, and with the person's own op", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.post("One");
    await team.town.pass(2_000);
    team.directory.crash();
    const directory = await team.enter(OLGA, team.workspace);
    await team.town.pass(60_000);
    expect(readOf(team, OLGA)).toMatchObject({ seq: 2 });
    await olga.post("Two");
    await team.town.pass(2_000);
    await directory.op("read.set", { channel: "general", seq: 3, base: readOf(team, OLGA)?.rev ?? 0 });
    expect(readOf(team, OLGA)).toMatchObject({ seq: 3 });
  });
});
