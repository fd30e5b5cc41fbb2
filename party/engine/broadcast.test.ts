import { describe, expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { COALESCE_MS, STRAGGLER_MS } from "#protocol/limits.ts";
import { OLGA, Team } from "../test/people.ts";

describe("broadcasts", () => {
  it("[SY7] leave at once in a quiet room", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    team.town.now += 1_000;
    await olga.post("Now");
    expect(mara.wire.last("changes").entities).toMatchObject([{ text: "Now" }]);
  });

  it("leave soon, and their bumps too, though the room's clock was set back", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const directory = await team.enter("mara" as UserId, team.workspace);
    const olga = await team.enter(OLGA);
    await olga.post("Before");
    await team.town.pass(60_000);
    directory.wire.clear();
    team.town.now -= 3_600_000;
    await olga.post("After");
    await team.town.pass(5_000);
    expect(mara.wire.last("changes").entities).toMatchObject([{ text: "After" }]);
    expect(directory.wire.all("signal")).toMatchObject([{ kind: "bump", channel: "general" }]);
  });

  it("[SY7] within a short window leave as one frame", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await team.town.pass(1_000);
    mara.wire.clear();
    for (let index = 0; index < 20; index += 1) await olga.post(`m${index}`);
    await team.town.pass(COALESCE_MS);
    const changes = mara.wire.all("changes");
    expect(changes.map(({ entities }) => entities.length)).toEqual([1, 19]);
    expect(changes[1]?.from).toBe(changes[0]?.to);
  });

  it("[SY1] each from is the to before it, whatever a connection does between", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    for (let round = 0; round < 30; round += 1) {
      await (round % 3 === 0 ? mara : olga).post(`m${round}`);
      if (round % 4 === 0) await team.town.pass(COALESCE_MS);
    }
    await team.town.pass(STRAGGLER_MS);
    for (const { wire } of [mara, olga]) {
      let cursor = wire.last("snapshot").head;
      for (const frame of wire.frames) {
        if (frame.t === "changes") expect(frame.from).toBe(cursor);
        if (frame.t === "changes") cursor = frame.to;
        if (frame.t === "ack" && frame.from !== undefined) expect(frame.from).toBe(cursor);
        if (frame.t === "ack" && frame.from !== undefined) cursor = frame.rev ?? cursor;
      }
      expect(cursor).toBe(
        team.room().storage.rows.get("s") && (team.room().storage.rows.get("s") as { head: number }).head,
      );
    }
  });

  it("[SY3] an ack carries from only for a fresh op with nothing pending; else changes cover it too", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await team.town.pass(1_000);
    const frame = olga.frame("message.post", { id: "m1", text: "One" }, 1);
    const first = await olga.send(frame);
    const { head } = olga.wire.last("snapshot");
    expect(first).toMatchObject({ rev: head + 1, from: head });
    expect(await olga.send(frame)).not.toHaveProperty("from");
    await mara.post("Two");
    const second = await olga.send(olga.frame("message.post", { id: "m3", text: "Three" }, 2));
    expect(second).not.toHaveProperty("from");
    await team.town.pass(COALESCE_MS);
    expect(olga.wire.last("changes")).toMatchObject({
      from: head + 1,
      to: head + 3,
      entities: [{ text: "Two" }, { text: "Three" }],
    });
  });

  it("[SY1] what an ack brought isn't sent again with what others did in the same window", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await team.town.pass(1_000);
    await mara.post("Opens the window");
    team.town.now += 1;
    const answer = await olga.post("Acked with its range");
    expect(answer).toHaveProperty("from");
    await mara.post("In the same window");
    olga.wire.clear();
    mara.wire.clear();
    await team.town.pass(COALESCE_MS);
    const to = answer.t === "ack" ? answer.rev : null;
    expect(olga.wire.all("changes")).toMatchObject([{ from: to, entities: [{ text: "In the same window" }] }]);
    expect(olga.wire.last("changes").entities).toHaveLength(1);
    expect(mara.wire.last("changes").entities).toHaveLength(2);
  });

  it("[SY1] a connection that sees nothing of it gets an empty changes within 5 s", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    const seer = await team.enter(mara, team.workspace);
    const olga = await team.enter(OLGA, team.workspace);
    seer.wire.clear();
    await olga.op("channel.create", { id: "secret", access: "private", name: "secret" });
    await team.town.pass(1_000);
    expect(seer.wire.all("changes")).toEqual([]);
    await team.town.pass(STRAGGLER_MS - 1_000);
    const { rev } = olga.wire.last("ack");
    expect(seer.wire.all("changes")).toMatchObject([{ to: rev, entities: [] }]);
  });

  it("[SY1] a connection gets nothing live before a page with more: false was sent", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    for (let index = 0; index < 210; index += 1) {
      team.town.now += 100;
      await olga.post(`m${index}`);
    }
    const { epoch } = olga.wire.last("welcome");
    const late = await team.enter(OLGA, team.channel(), { since: 0, epoch });
    const [page] = late.wire.all("changes");
    expect(page?.more).toBe(true);
    await team.town.pass(1_000);
    await olga.post("While catching up");
    await team.town.pass(1_000);
    expect(late.wire.all("changes")).toHaveLength(1);
    await late.wire.say({ t: "pull", since: page?.to ?? 0 });
    expect(late.wire.last("changes")).toMatchObject({ from: page?.to, more: false });
    await olga.post("Live");
    await team.town.pass(1_000);
    expect(late.wire.last("changes").entities).toMatchObject([{ text: "Live" }]);
  });

  it("[SY1] nothing that was acknowledged stays behind where storage can't be read while it waits to leave", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    const reader = await team.enter(OLGA);
    await team.town.pass(1_000);
    const { storage } = team.room();
    await olga.post("first");
    await olga.post("second");
    expect(mara.wire.texts.join()).not.toContain("second");
    const get = storage.get.bind(storage);
    storage.get = async () => {
      throw new Error("Failed");
    };
    await reader.wire.say({ t: "pull", since: 0 });
    await team.town.pass(30).catch(() => undefined);
    storage.get = get;
    // Whoever comes next loads the room anew.
    await reader.wire.say({ t: "pull", since: 0 });
    await team.town.pass(2_000);
    expect(mara.wire.texts.join()).toContain("second");
  });

  it("goes on after hibernation, to the same sockets", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await olga.post("Before");
    await team.town.pass(60_000);
    team.room().sleep();
    mara.wire.clear();
    const answer = await olga.post("After");
    await team.town.pass(1_000);
    expect(mara.wire.all("changes")).toMatchObject([{ entities: [{ text: "After" }] }]);
    expect(answer).toMatchObject({ n: 2 });
  });

  it("[AU12] closes with 4401 instead of sending past a token's end", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    await team.town.pass(3_601_000);
    mara.wire.clear();
    const olga = await team.enter(OLGA);
    await olga.post("Too late for Mara");
    await team.town.pass(1_000);
    expect(mara.wire.all("changes")).toEqual([]);
    expect(mara.wire.closed).toEqual({ code: 4401, reason: "token_expired" });
  });

  it("[AU8] lets in by the leeway, and then for no longer than the leeway", async () => {
    const team = await Team.make();
    const iat = Math.floor(team.town.now / 1_000) - 620;
    const token = await team.town.token(OLGA, team.channel(), ["read", "write"], { iat, exp: iat + 600 });
    const late = await team.enter(OLGA, team.channel(), { token });
    expect(late.wire.all("snapshot")).toHaveLength(1);
    await late.post("Within the leeway");
    expect(late.wire.all("ack")).toHaveLength(1);
    await team.town.pass(11_000);
    await late.wire.say({ t: "pull", since: 0 });
    expect(late.wire.closed).toEqual({ code: 4401, reason: "token_expired" });
  });
});
