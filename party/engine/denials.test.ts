import { describe, expect, it } from "vitest";
import { TOKEN_LIFETIME_S } from "#protocol/limits.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { Denial } from "#protocol/service.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";
import { Grants } from "../workspace/grants.ts";
import { deniedBy, together } from "./denials.ts";

const AT = 1_000_000;

function ofSession(user: string, session: number): Denial {
  return { sub: user as UserId, sid: `s${session}`, at: AT + session, code: "unauthenticated" };
}

async function manyChannels(team: Team, owner: Person, count: number): Promise<string[]> {
  const channels = Array.from({ length: count }, (_, index) => `c${index}`);
  for (const id of channels) {
    expect(outcome(await owner.op("channel.create", { id, access: "public", name: id }))).toBe("ack");
    await team.town.pass(100);
  }
  await team.town.pass(60_000);
  return channels;
}

/** As the app does, which reads all channels that one is in. */
async function granted(team: Team, user: UserId, channels: readonly string[]): Promise<void> {
  for (let start = 0; start < channels.length; start += 20) {
    const rooms = channels.slice(start, start + 20).map((channel) => `channel:w_${channel}`);
    await team.call("POST", "authorize", { user, rooms });
  }
}

async function grantsOf({ town, directory }: Team): Promise<Grants> {
  const grants = new Grants({ now: () => town.now, storage: directory.storage });
  await grants.load();
  return grants;
}

describe("denials", () => {
  it("of a session leave the person's other sessions alone", () => {
    const deny = [ofSession("mara", 1)];
    expect(deniedBy(deny, { user: "mara" as UserId, iat: AT, sid: "s1" })).toBe("unauthenticated");
    expect(deniedBy(deny, { user: "mara" as UserId, iat: AT, sid: "s2" })).toBeNull();
    expect(deniedBy(deny, { user: "lars" as UserId, iat: AT, sid: "s1" })).toBeNull();
  });

  it("of too many sessions become one of the person; tokens issued after it count", () => {
    const deny = together(Array.from({ length: 1_000 }, (_, index) => ofSession("mara", index)));
    expect(deny).toEqual([{ sub: "mara", at: AT + 999, code: "unauthenticated" }]);
  });

  it("of too many people stay bounded, and nobody who was denied gets in", () => {
    const each = Array.from({ length: 1_000 }, (_, index) => ofSession(`u${index}`, index));
    const deny = together(each);
    expect(JSON.stringify(deny).length).toBeLessThan(40_000);
    for (const { sub, sid, at } of each) {
      expect(deniedBy(deny, { user: sub as UserId, iat: at, ...(sid === undefined ? {} : { sid }) })).not.toBeNull();
    }
    expect(deniedBy(deny, { user: "u0" as UserId, iat: AT + 1_000 })).toBeNull();
  });

  it("[AU12] reach the channel's room though nothing else changed and an old one lapses just then", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    await team.enter(mara);
    const denyMara = async (sid: string): Promise<void> => {
      await team.call("POST", "deny", {
        sub: mara,
        sid,
        at: Math.floor(team.town.now / 1_000),
        code: "unauthenticated",
      });
      await team.town.pass(3_000);
    };
    await denyMara("first");
    await team.town.pass((TOKEN_LIFETIME_S + 120) * 1_000);
    const iat = Math.floor(team.town.now / 1_000);
    await team.perms(mara, team.channel());
    const token = await team.town.token(mara, team.channel(), ["read", "write"], { iat, sid: "second" });
    const again = await team.enter(mara, team.channel(), { token });
    await denyMara("second");
    expect(again.wire.closed?.code).toBe(4401);
  });

  it("don't stop a workspace or its channels, however often somebody signs out", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    await team.perms(mara, team.channel());
    for (let index = 0; index < 2_000; index += 1) {
      const at = Math.floor(team.town.now / 1_000);
      await team.call("POST", "deny", { sub: mara, sid: `${"s".repeat(120)}${index}`, at, code: "unauthenticated" });
    }
    await team.town.pass(5_000);
    const directory = await team.enter(OLGA, team.workspace);
    expect(outcome(await directory.op("channel.update", { id: "general", topic: "Still here" }))).toBe("ack");
    const olga = await team.enter(OLGA);
    expect(outcome(await olga.post("And here"))).toBe("ack");
  });

  it("[AU12] reach all rooms of who has tokens for hundreds of channels", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    const channels = await manyChannels(team, olga, 300);
    const mara = await team.invite("mara");
    await granted(team, mara, channels);
    expect(outcome(await olga.op("member.role", { user: mara, role: "admin" }))).toBe("ack");
    const at = Math.floor(team.town.now / 1_000);
    await team.call("POST", "deny", { sub: mara, sid: "s1", at, code: "unauthenticated" });
    expect(outcome(await olga.op("member.activate", { user: mara, on: false }))).toBe("ack");
    await team.town.pass(60_000);
    const owed = channels.map((channel) => team.directory.storage.rows.get(`o:${channel}`));
    expect(owed).toEqual(channels.map(() => expect.objectContaining({ due: null })));
  });

  it("[AU12] are known to be needed in more channels than fit in a row", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    const known = async (): Promise<string[]> =>
      (await grantsOf(team)).of({ sub: mara, at: 1, code: "unauthenticated" }).toSorted();
    const channels = Array.from({ length: 2_600 }, () => team.town.newId() as ChannelId);
    const grants = await grantsOf(team);
    for (let start = 0; start < channels.length; start += 20) {
      // A second apart, so that the first lapse before the last.
      team.town.now += 1_000;
      await grants.note(mara, channels.slice(start, start + 20));
    }
    expect(await known()).toEqual(channels.toSorted());
    team.town.now += 3 * 3_600_000;
    await grants.note(mara, channels.slice(0, 20));
    expect(await known()).toEqual(channels.slice(0, 20).toSorted());
    expect([...(await team.directory.storage.list({ prefix: "g:" })).keys()]).toEqual([`g:${mara}`]);
  });

  it("name somebody", async () => {
    const team = await Team.make();
    await expect(team.call("POST", "deny", { at: 1, code: "unauthenticated" })).rejects.toThrow("422");
  });
});

describe("lines owed to a channel's room", () => {
  it("stay bounded while it can't be reached: the directory goes on", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"), team.workspace);
    team.town.isCut = true;
    for (let round = 0; round < 400; round += 1) {
      team.town.now += 200;
      expect(outcome(await mara.op(round % 2 === 0 ? "channel.leave" : "channel.join", { id: "general" }))).toBe("ack");
    }
    expect(JSON.stringify(team.directory.storage.rows.get("o:general")).length).toBeLessThan(100_000);
  });
});
