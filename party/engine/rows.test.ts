import { describe, expect, it } from "vitest";
import { OLGA, Team, type Person } from "../test/people.ts";

/** Rows are what the platform bills (goals, P12). */
describe("rows written", () => {
  it("one post costs at most 3.1 in the channel's room and 4.2 in all, its bump included", async () => {
    const team = await Team.make();
    const people = [await team.enter(OLGA)];
    for (const name of ["mara", "lars", "nina"]) people.push(await team.enter(await team.invite(name)));
    for (const person of people) await person.post("Once, so that devices are known");
    await team.town.pass(120_000);
    const [channel, directory] = [team.room().storage, team.directory.storage];
    const before = [channel.written, directory.written];
    const posts = 1_000;
    for (let index = 0; index < posts; index += 1) {
      await people[index % people.length]?.post(`Message ${index}`);
      // One a second: the hardest for combining.
      await team.town.pass(1_000);
      if (index % 1_000 === 500) await renewAll(people);
    }
    const inChannel = (channel.written - (before[0] ?? 0)) / posts;
    const inAll = inChannel + (directory.written - (before[1] ?? 0)) / posts;
    expect(inChannel).toBeLessThanOrEqual(3.1);
    expect(inAll).toBeLessThanOrEqual(4.2);
  });

  it("a post now and then costs no more: nothing is written for a bump that was delivered", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.post("Once");
    await team.town.pass(60_000);
    const before = team.room().storage.written;
    const posts = 50;
    for (let index = 0; index < posts; index += 1) {
      team.room().sleep();
      await olga.post(`Message ${index}`);
      await team.town.pass(60_000);
    }
    // Beyond 3: pages of 64, and the alarm that is the net, once in ten minutes and rung here by nobody.
    expect((team.room().storage.written - before) / posts).toBeLessThanOrEqual(3.1);
  });

  it("a message costs at most 2.7 requests: itself and one bump, where posts don't come together", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    const before = team.town.calls;
    for (let index = 0; index < 50; index += 1) {
      await olga.post(`Message ${index}`);
      await team.town.pass(10_000);
      team.room().sleep();
    }
    expect((team.town.calls - before) / 50).toBeLessThanOrEqual(1.7);
  });

  it("a day of read positions: each costs at most 3.1 rows, and no call to another room", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const reader = await team.enter(await team.invite("mara"), team.workspace);
    await olga.post("Once");
    await reader.op("read.set", { channel: "general", seq: 1, base: 0 });
    await team.town.pass(120_000);
    const [inDirectory, inChannel] = [team.directory.storage, team.room().storage];
    const positions = 160;
    let [written, calls] = [0, 0];
    for (let index = 0; index < positions; index += 1) {
      if (index % 10 === 0) await renewAll([olga, reader]);
      await olga.post(`Message ${index}`);
      await team.town.pass(180_000);
      const before = [inDirectory.written + inChannel.written, team.town.calls] as const;
      expect(await reader.op("read.set", { channel: "general", seq: index + 2, base: index + 1 })).toBeDefined();
      await team.town.pass(1_000);
      written += inDirectory.written + inChannel.written - before[0];
      calls += team.town.calls - before[1];
    }
    expect(written / positions).toBeLessThanOrEqual(3.1);
    expect(calls).toBe(0);
  });

  it("signals, pulls, history and held refusals cost none", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.post("One");
    await team.town.pass(60_000);
    const before = team.room().storage.written;
    await olga.wire.say({ t: "signal", kind: "typing" });
    await olga.wire.say({ t: "pull", since: 0 });
    await olga.wire.say({ t: "history", before: 9 });
    await olga.send(olga.frame("message.post", { id: "x", text: "x" }, 99));
    expect(team.room().storage.written).toBe(before);
  });
});

async function renewAll(people: readonly Person[]): Promise<void> {
  for (const { wire, user, team, room } of people) await wire.say({ t: "auth", token: await team.token(user, room) });
}
