import { describe, expect, it } from "vitest";
import { TOKEN_LIFETIME_S } from "#protocol/limits.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Denial } from "#protocol/service.ts";
import { OLGA, outcome, Team } from "../test/people.ts";
import { deniedBy, together } from "./denials.ts";

const AT = 1_000_000;

function ofSession(user: string, session: number): Denial {
  return { sub: user as UserId, sid: `s${session}`, at: AT + session, code: "unauthenticated" };
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
