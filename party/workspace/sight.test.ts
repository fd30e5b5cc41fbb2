import { describe, expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";

/** Ids of a kind that came to the person, whatever frame brought them. */
function seen(person: Person, kind: Entity["kind"]): string[] {
  const entities = person.wire.frames.flatMap((frame) => ("entities" in frame ? frame.entities : []));
  return [...new Set(entities.filter((entity) => entity.kind === kind).map(({ id }) => id))];
}

function all(person: Person): string {
  return person.wire.texts.join("\n");
}

async function withSecret(): Promise<{ team: Team; olga: Person }> {
  const team = await Team.make();
  const olga = await team.enter(OLGA, team.workspace);
  await olga.op("channel.create", { id: "secret", access: "private", name: "hush-hush" });
  return { team, olga };
}

describe("[RV5] who isn't in a private channel", () => {
  it("gets no trace of it: not live, not by pull, not over HTTP, not in heads or bumps", async () => {
    const { team, olga } = await withSecret();
    const mara = await team.enter(await team.invite("mara"), team.workspace);
    const inside = await team.enter(OLGA, team.channel("secret"));
    await olga.op("channel.update", { id: "secret", topic: "Nobody may know" });
    await inside.post("Between us");
    await team.town.pass(60_000);
    await mara.wire.say({ t: "pull", since: 0 });
    await mara.wire.say({ t: "pull", heads: 0 });
    await mara.again();
    const http = await team.directory.http("GET", "changes?since=0", await team.token(mara.user, team.workspace));
    expect(all(mara) + JSON.stringify(http)).not.toMatch(/secret|hush|Nobody may know/);
    expect(all(olga)).toContain("secret");
  });

  it("is refused its room, and not told whether it is there", async () => {
    const { team } = await withSecret();
    const mara = await team.invite("mara");
    const answer = (await team.call("POST", "authorize", {
      user: mara,
      rooms: ["channel:w_secret", "channel:w_nothing", "channel:w_general"],
    })) as { granted: object; refused: Record<string, unknown> };
    expect(Object.keys(answer.granted)).toEqual(["channel:w_general"]);
    expect(answer.refused["channel:w_secret"]).toEqual(answer.refused["channel:w_nothing"]);
  });
});

describe("[RV5] gaining sight", () => {
  it("brings the channel, its people and its head, live and by pull alike", async () => {
    const { team, olga } = await withSecret();
    const inside = await team.enter(OLGA, team.channel("secret"));
    await inside.post("Before Mara came");
    await team.town.pass(5_000);
    const mara = await team.enter(await team.invite("mara"), team.workspace);
    const { head, epoch, heads } = mara.wire.last("welcome");
    await olga.op("channel.members", { id: "secret", add: ["mara"] });
    await team.town.pass(1_000);
    expect(seen(mara, "channel")).toContain("secret");
    expect(mara.wire.last("signal")).toMatchObject({ kind: "bump", channel: "secret", top: 2 });
    expect(seen(mara, "membership")).toEqual(expect.arrayContaining(["secret.olga", "secret.mara"]));
    const offline = await team.enter(mara.user, team.workspace, { since: head, epoch, heads: heads?.counter });
    expect(seen(offline, "channel")).toEqual(["secret"]);
    expect(seen(offline, "membership").toSorted()).toEqual(["secret.mara", "secret.olga"]);
    expect(offline.wire.last("welcome").heads?.list).toHaveProperty("secret");
  });
});

describe("[RV5] losing sight", () => {
  it("sends one's own membership as gone, and nothing of the channel after it", async () => {
    const { team, olga } = await withSecret();
    const mara = await team.enter(await team.invite("mara"), team.workspace);
    await olga.op("channel.members", { id: "secret", add: ["mara"] });
    await team.town.pass(1_000);
    const { epoch } = mara.wire.last("welcome");
    const cursor = mara.wire.last("changes").to;
    await olga.op("channel.members", { id: "secret", remove: ["mara"] });
    await team.town.pass(1_000);
    const gone = { kind: "membership", id: "secret.mara", deleted: true, gone: true };
    expect(mara.wire.last("changes").entities).toMatchObject([gone]);
    mara.wire.clear();
    await olga.op("channel.update", { id: "secret", topic: "After Mara" });
    await team.town.pass(1_000);
    expect(all(mara)).not.toContain("After Mara");
    const offline = await team.enter(mara.user, team.workspace, { since: cursor, epoch });
    expect(offline.wire.last("changes").entities).toMatchObject([gone]);
  });

  it("of a public channel one left keeps it in sight: the membership is not gone", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"), team.workspace);
    await mara.op("channel.leave", { id: "general" });
    expect(mara.wire.last("ack").entities).toMatchObject([{ id: "general.mara", deleted: true }]);
    expect(mara.wire.last("ack").entities[0]).not.toHaveProperty("gone");
  });
});

describe("[RV5] guests", () => {
  it("see the channels they are in and the people there, and no others", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    await olga.op("channel.create", { id: "side", access: "public", name: "side" });
    await olga.op("channel.leave", { id: "general" });
    await team.invite("mara");
    const gail = await team.enter(await team.invite("gail", "guest", ["side"]), team.workspace);
    expect(seen(gail, "channel")).toEqual(["side"]);
    expect(seen(gail, "member").toSorted()).toEqual(["gail", "olga"]);
    expect(seen(gail, "membership").toSorted()).toEqual(["side.gail", "side.olga"]);
    await olga.op("channel.members", { id: "side", add: ["mara"] });
    await team.town.pass(1_000);
    expect(seen(gail, "member").toSorted()).toEqual(["gail", "mara", "olga"]);
    expect(await team.perms(gail.user, team.channel("general"))).toEqual([]);
    expect(await team.perms(gail.user, team.channel("side"))).toEqual(["read", "write"]);
  });

  it("become members by a reset, connected or not", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    const gail = await team.enter(await team.invite("gail", "guest", ["general"]), team.workspace);
    const { epoch, head } = gail.wire.last("welcome");
    await olga.op("channel.create", { id: "news", access: "public", name: "news" });
    await olga.op("member.role", { user: "gail", role: "member" });
    await team.town.pass(1_000);
    expect(gail.wire.last("you")).toMatchObject({ role: "member", can: ["read", "write"] });
    expect(gail.wire.last("changes")).toMatchObject({ reset: true, entities: [] });
    await gail.wire.say({ t: "pull", since: head });
    expect(gail.wire.last("changes")).toMatchObject({ reset: true, entities: [] });
    team.directory.sleep();
    const offline = await team.enter(gail.user, team.workspace, { since: head, epoch });
    expect(offline.wire.last("changes")).toMatchObject({ from: 0, reset: true });
    expect(seen(offline, "channel").toSorted()).toEqual(["general", "news"]);
  });
});

describe("[RV5] heads", () => {
  it("of channels that come into sight are told though their counters are older", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    await olga.op("channel.create", { id: "news", access: "public", name: "news" });
    await team.town.pass(5_000);
    await (await team.enter(OLGA, team.channel("news"))).post("Long before");
    await team.town.pass(60_000);
    const gail = await team.enter(await team.invite("gail", "guest", ["general"]), team.workspace);
    await team.town.pass(60_000);
    await gail.again();
    const { heads } = gail.wire.last("welcome");
    expect(Object.keys(heads?.list ?? {})).toEqual(["general"]);
    await olga.op("member.role", { user: "gail", role: "member" });
    await team.town.pass(60_000);
    // As a device does that is told to start anew: it knows the counter still.
    await gail.again({ since: null, heads: heads?.counter });
    expect(gail.wire.last("welcome").heads?.list).toHaveProperty("news");
  });
});

describe("my state", () => {
  it("[RV5] is seen by nobody else", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"), team.workspace);
    const olga = await team.enter(OLGA, team.workspace);
    const other = await team.enter(OLGA, team.workspace);
    expect(outcome(await olga.op("draft.set", { channel: "general", text: "Half a thought" }))).toBe("ack");
    await olga.op("read.set", { channel: "general", seq: 1, base: 0 });
    await team.town.pass(10_000);
    expect(all(mara)).not.toContain("Half a thought");
    expect(all(other)).toContain("Half a thought");
    expect(seen(mara, "read")).toEqual([]);
  });
});
