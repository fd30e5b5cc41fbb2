import { describe, expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";

function lines(team: Team, channel?: string): unknown[] {
  const messages = [...team.room(channel).storage.rows].filter(([key]) => key.startsWith("e:message:"));
  const found = messages.map(([, row]) => row as Message).toSorted((a, b) => a.seq - b.seq);
  return found.flatMap((message) => (message.deleted || !message.system ? [] : [message.system]));
}

async function withPrivate(): Promise<{ team: Team; olga: Person; inside: Person }> {
  const team = await Team.make();
  await team.invite("mara");
  const olga = await team.enter(OLGA, team.workspace);
  await olga.op("channel.create", { id: "den", access: "private", name: "den", members: ["mara"] });
  await team.town.quiet();
  const inside = await team.enter("mara" as typeof OLGA, team.channel("den"));
  return { team, olga, inside };
}

describe("[RM6] a channel's room", () => {
  it("fetches its policy before it admits anyone, should it not have been told", async () => {
    const { team } = await withPrivate();
    team.room("den").storage.rows.clear();
    team.room("den").crash();
    const mara = await team.enter("mara" as typeof OLGA, team.channel("den"));
    expect(mara.wire.last("welcome").head).toBe(0);
    expect(outcome(await mara.post("Here"))).toBe("ack");
  });

  it("answers 4404 for a channel that the workspace doesn't know, 4403 without perms", async () => {
    const team = await Team.make();
    const nowhere = team.channel("nowhere");
    const olga = await team.enter(OLGA, nowhere);
    expect(olga.wire.closed).toEqual({ code: 4403, reason: "forbidden" });
    await olga.again({ token: await team.town.token(OLGA, nowhere, ["read", "write"]) });
    expect(olga.wire.closed).toEqual({ code: 4404, reason: "not_found" });
    expect(team.room("nowhere").storage.rows.size).toBe(0);
  });

  it("holds people off, and doesn't refuse them, while the workspace can't be reached", async () => {
    const { team } = await withPrivate();
    team.room("den").storage.rows.clear();
    team.room("den").crash();
    const token = await team.token("mara" as typeof OLGA, team.channel("den"));
    team.town.isCut = true;
    const wire = team.room("den").open();
    await wire.say({ t: "hello", v: 1, token, device: "d", since: null });
    expect(wire.last("error").code).toBe("upstream_unavailable");
    expect(wire.closed?.code).toBe(1011);
  });
});

describe("[RM5] access", () => {
  it("is given back to who was taken in again before the channel's room has heard of it", async () => {
    const { team, olga, inside } = await withPrivate();
    const token = await team.token(inside.user, team.channel("den"));
    await olga.op("channel.members", { id: "den", remove: ["mara"] });
    await team.town.quiet();
    team.town.isCut = true;
    await olga.op("channel.members", { id: "den", add: ["mara"] });
    await team.town.quiet();
    const hello = { t: "hello", v: 1, token, device: "d", since: null };
    const early = team.room("den").open();
    await early.say(hello);
    // Nobody can be asked: that is no answer, and least of all a last one.
    expect(early.closed?.code).toBe(1011);
    team.town.isCut = false;
    const late = team.room("den").open();
    await late.say(hello);
    expect(late.last("welcome").you.user).toBe("mara");
  });

  it("isn't had by who was taken out before the first long list of people, cut off in its midst, came again", async () => {
    const team = await Team.make();
    const people: string[] = [];
    for (let at = 0; at < 80; at += 1) people.push(await team.invite(`p${String(at).padStart(2, "0")}`));
    const olga = await team.enter(OLGA, team.workspace);
    const { storage } = team.room("den");
    team.town.isCut = true;
    await olga.op("channel.create", { id: "den", access: "private", name: "den", members: people.slice(0, 45) });
    await olga.op("channel.members", { id: "den", add: people.slice(45) });
    await team.town.quiet();
    let writes = 0;
    storage.fault = () => {
      writes += 1;
      if (writes >= 2) throw new Error("Full");
    };
    team.town.isCut = false;
    await team.town.pass(1_000);
    expect(storage.rows.has("m:p00")).toBe(true);
    team.town.isCut = true;
    storage.fault = null;
    team.room("den").crash();
    await olga.op("channel.members", { id: "den", remove: ["p00"] });
    await team.town.quiet();
    team.town.isCut = false;
    await team.town.pass(60_000);
    team.room("den").crash();
    const wire = team.room("den").open();
    const token = await team.town.token("p00", team.channel("den"), ["read", "write"]);
    await wire.say({ t: "hello", v: 1, token, device: "d", since: null });
    expect(wire.closed).toMatchObject({ code: 4403 });
  });

  it("[AU12] ends where the word of it was stored by a write that was taken for failed", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    const olga = await team.enter(OLGA, team.workspace);
    const inside = await team.enter(mara);
    const writer = await team.enter(OLGA);
    await team.town.pass(60_000);
    const { storage } = team.room();
    const commit = storage.commit.bind(storage);
    storage.commit = async (puts, deletes) => {
      storage.commit = commit;
      await commit(puts, deletes);
      throw new Error("No answer came");
    };
    await olga.op("member.activate", { user: mara, on: false });
    await team.town.pass(60_000);
    inside.wire.clear();
    await writer.post("Among ourselves");
    await team.town.pass(1_000);
    expect(inside.wire.texts.join()).not.toContain("Among ourselves");
    expect(inside.wire.closed).not.toBeNull();
  });

  it.each([
    ["whose clock is 25 s ahead", 25, 0],
    ["before the workspace room's own clock was set back by an hour", 0, 3_600_000],
  ])("ends within 5 s though a session was denied just then by an edge %s", async (_, aheadS, backMs) => {
    const { team, olga, inside } = await withPrivate();
    const at = Math.floor(team.town.now / 1_000) + aheadS;
    await team.call("POST", "deny", { sub: inside.user, sid: "elsewhere", at, code: "unauthenticated" });
    team.town.now -= backMs;
    await olga.op("channel.members", { id: "den", remove: ["mara"] });
    await team.town.pass(5_000);
    expect(inside.wire.closed).not.toBeNull();
  });

  it("costs the workspace few questions from who keeps trying without it, and no answer is a last one without", async () => {
    const { team } = await withPrivate();
    const sam = await team.invite("sam");
    const token = await team.town.token(sam, team.channel("den"), ["read", "write"]);
    const before = team.town.calls;
    const codes: (number | undefined)[] = [];
    for (let i = 0; i < 20; i += 1) {
      const wire = team.room("den").open();
      await wire.say({ t: "hello", v: 1, token, device: "d", since: null });
      codes.push(wire.closed?.code);
    }
    expect(team.town.calls - before).toBe(2);
    expect(codes).toEqual([4403, 4403, ...Array.from({ length: 18 }, () => 4429)]);
  });

  it("needs the token and the list: a token alone opens no private channel", async () => {
    const { team } = await withPrivate();
    const sam = await team.invite("sam");
    const token = await team.town.token(sam, team.channel("den"), ["read", "write", "pin", "manage"]);
    const wire = team.room("den").open();
    await wire.say({ t: "hello", v: 1, token, device: "d", since: null });
    expect(wire.closed).toEqual({ code: 4403, reason: "forbidden" });
    for (const call of ["GET changes?since=0", "GET history?before=9"]) {
      const [method = "", action = ""] = call.split(" ");
      await team.town.pass(5_000);
      expect(await team.room("den").http(method, action, token)).toMatchObject({ code: "forbidden" });
    }
    await team.town.pass(5_000);
    const ops = [{ t: "op", n: 1, id: "o", op: "message.post", args: { id: "m", text: "x" }, at: 0 }];
    expect(await team.room("den").http("POST", "ops", token, { device: "d", ops })).toMatchObject({
      code: "forbidden",
    });
  });

  it("ends at once for who is taken out, socket and HTTP, and not for the others", async () => {
    const { team, olga, inside } = await withPrivate();
    const stays = await team.enter(OLGA, team.channel("den"));
    const token = await team.token(inside.user, team.channel("den"));
    await olga.op("channel.members", { id: "den", remove: ["mara"] });
    await team.town.quiet();
    expect(inside.wire.last("error").code).toBe("forbidden");
    expect(inside.wire.closed).toEqual({ code: 4403, reason: "forbidden" });
    expect(await team.room("den").http("GET", "history?before=9", token)).toMatchObject({ code: "forbidden" });
    await stays.post("Among ourselves");
    expect(inside.wire.texts.join()).not.toContain("Among ourselves");
    expect(stays.wire.closed).toBeNull();
  });

  it("ends though the channel's room couldn't be told at first", async () => {
    const { team, olga, inside } = await withPrivate();
    team.town.isCut = true;
    await olga.op("channel.members", { id: "den", remove: ["mara"] });
    await team.town.quiet();
    expect(inside.wire.closed).toBeNull();
    team.town.isCut = false;
    await team.town.pass(1_000);
    expect(inside.wire.closed?.code).toBe(4403);
  });

  it("[SV1] ends though the workspace's room stopped right after the op", async () => {
    const { team, olga, inside } = await withPrivate();
    team.town.isCut = true;
    await olga.op("channel.members", { id: "den", remove: ["mara"] });
    team.directory.crash();
    team.town.isCut = false;
    expect(team.directory.storage.alarm).not.toBeNull();
    await team.directory.ring();
    expect(inside.wire.closed?.code).toBe(4403);
  });

  it("[SV3] sends differences, and the whole where they don't fit", async () => {
    const { team, olga } = await withPrivate();
    const members = (): string[] =>
      [...team.room("den").storage.rows.keys()].filter((key) => key.startsWith("m:")).toSorted();
    await olga.op("channel.members", { id: "den", add: [await team.invite("sam")] });
    await team.town.quiet();
    expect(members()).toEqual(["m:mara", "m:olga", "m:sam"]);
    team.room("den").storage.rows.clear();
    team.room("den").crash();
    await olga.op("channel.members", { id: "den", remove: ["mara"] });
    await team.town.pass(1_000);
    expect(members()).toEqual(["m:olga", "m:sam"]);
  });

  it("[SV1] follows the last of changes that came while a call was on its way", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    await Promise.all([
      olga.op("channel.update", { id: "general", posting: "admins" }),
      olga.op("channel.update", { id: "general", posting: "all" }),
      olga.op("channel.update", { id: "general", posting: "admins" }),
    ]);
    await team.town.pass(1_000);
    expect(team.room().storage.rows.get("s")).toMatchObject({ own: { policy: { posting: "admins" } } });
    expect(team.directory.storage.rows.get("o:general")).toMatchObject({ due: null });
  });

  it.each(["add", "remove"] as const)(
    "[RM5] hears of more than it can be told of one by one, by a call that is on its way meanwhile: %s",
    async (what) => {
      const { team, olga } = await withPrivate();
      const many = Array.from({ length: 600 }, (_, index) => `p${index}`);
      const asked = async (change: "add" | "remove"): Promise<void> => {
        for (let start = 0; start < many.length; start += 50) {
          const people = many.slice(start, start + 50);
          expect(outcome(await olga.op("channel.members", { id: "den", [change]: people }))).toBe("ack");
          if (change !== what) await team.town.pass(2_000);
        }
      };
      for (const name of many) await team.invite(name);
      if (what === "remove") await asked("add");
      await team.town.pass(60_000);
      // One call takes as long as all of the ops: a room that has to be started, or a slow line between two hosts.
      const answered = Promise.withResolvers<void>();
      const call = team.town.call.bind(team.town);
      let isFirst = true;
      team.town.call = async (ref, method, action, body) => {
        const answer = call(ref, method, action, body);
        if (action === "policy" && isFirst) {
          isFirst = false;
          await answered.promise;
        }
        return answer;
      };
      await asked(what);
      answered.resolve();
      await team.town.pass(60_000);
      const members = [...team.room("den").storage.rows.keys()].filter((key) => key.startsWith("m:"));
      expect(members).toHaveLength(what === "add" ? 602 : 2);
    },
  );

  it("[RV8] takes fifty people at once, lines and all, within what one write may hold", async () => {
    const { team, olga } = await withPrivate();
    const many = Array.from({ length: 150 }, (_, index) => `p${index}`);
    for (const name of many) await team.invite(name);
    for (let start = 0; start < many.length; start += 50) {
      const add = many.slice(start, start + 50);
      expect(outcome(await olga.op("channel.members", { id: "den", add }))).toBe("ack");
    }
    await team.town.pass(5_000);
    expect([...team.room("den").storage.rows.keys()].filter((key) => key.startsWith("m:"))).toHaveLength(152);
    expect(lines(team, "den")).toHaveLength(151);
    team.room("den").storage.rows.clear();
    team.room("den").crash();
    const last = await team.enter("p149" as typeof OLGA, team.channel("den"));
    expect(last.wire.all("welcome")).toHaveLength(1);
    expect(outcome(await olga.op("channel.members", { id: "den", add: many.slice(0, 51) }))).toBe("invalid");
  });

  it("[AU12] a demoted admin's older tokens stop to count where they were given", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    const adam = await team.enter(await team.invite("adam", "admin"));
    const old = await team.token(adam.user, team.channel());
    await adam.post("As admin");
    await olga.op("member.role", { user: "adam", role: "member" });
    await team.town.pass(5_000);
    expect(adam.wire.closed).toEqual({ code: 4401, reason: "unauthenticated" });
    await adam.again({ token: old });
    expect(adam.wire.closed?.code).toBe(4401);
    await adam.again();
    expect(adam.wire.last("welcome").you.can).toEqual(["read", "write", "pin"]);
    expect(outcome(await adam.post("As member"))).toBe("ack");
  });

  it("[AU12] a deactivated member is out everywhere within 5 s, and stays out", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    const mara = await team.invite("mara");
    const inChannel = await team.enter(mara);
    const inWorkspace = await team.enter(mara, team.workspace);
    const token = await team.token(mara, team.channel());
    await olga.op("member.activate", { user: "mara", on: false });
    await team.town.pass(5_000);
    expect(inWorkspace.wire.closed).toEqual({ code: 4403, reason: "forbidden" });
    expect(inChannel.wire.closed).toEqual({ code: 4403, reason: "forbidden" });
    const wire = team.room().open();
    await wire.say({ t: "hello", v: 1, token, device: "d", since: null });
    expect(wire.closed?.code).toBe(4403);
    expect(await team.perms(mara, team.channel())).toEqual([]);
  });

  it("[AU12] a denied session is out, other sessions of the person stay", async () => {
    const team = await Team.make();
    const at = Math.floor(team.town.now / 1_000);
    const enter = async (sid: string): Promise<Person> =>
      team.enter(OLGA, team.channel(), { token: await team.town.token(OLGA, team.channel(), ["read"], { sid }) });
    const [ended, stays] = [await enter("s1"), await enter("s2")];
    await team.perms(OLGA, team.channel());
    await team.call("POST", "deny", { sub: OLGA, sid: "s1", at, code: "unauthenticated" });
    await team.town.pass(5_000);
    expect(ended.wire.closed).toEqual({ code: 4401, reason: "unauthenticated" });
    expect(stays.wire.closed).toBeNull();
  });
});

describe("system lines", () => {
  it("tell what happened to the channel, each once", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    const mara = await team.enter(await team.invite("mara"), team.workspace);
    await olga.op("channel.create", { id: "news", access: "public", name: "news" });
    await mara.op("channel.join", { id: "news" });
    await olga.op("channel.update", { id: "news", topic: "What's new" });
    await olga.op("channel.update", { id: "news", name: "news-2" });
    await mara.op("channel.leave", { id: "news" });
    await olga.op("channel.archive", { id: "news", on: true });
    await team.town.quiet();
    expect(lines(team, "news")).toEqual([
      { type: "created" },
      { type: "joined", user: "mara" },
      { type: "topic", topic: "What's new" },
      { type: "renamed", name: "news-2", was: "news" },
      { type: "left", user: "mara" },
      { type: "archived", on: true },
    ]);
  });

  it("[SV1] come once though the answer to the call was lost", async () => {
    const team = await Team.make();
    const policy = (await team.call("GET", "policy?channel=general")) as Record<string, unknown>;
    const line = { id: "line-1", author: OLGA, at: team.town.now, system: { type: "topic", topic: "x" } };
    const told = { ...policy, rev: 9, lines: [line] };
    await team.room().call("POST", "policy", told);
    await team.room().call("POST", "policy", told);
    await team.room().call("POST", "policy", { ...told, rev: 3 });
    expect(lines(team).filter((one) => (one as { type: string }).type === "topic")).toHaveLength(1);
  });

  it("of a workspace room whose clock is ahead don't make late what follows", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    team.town.isCut = true;
    team.town.now += 3_600_000;
    await directory.op("channel.update", { id: "general", topic: "x" });
    team.town.now -= 3_600_000;
    team.town.isCut = false;
    await team.town.pass(60_000);
    expect(lines(team).at(-1)).toMatchObject({ type: "topic" });
    const olga = await team.enter(OLGA);
    await olga.op("message.post", { id: "m1", text: "In time" });
    const message = team.room().storage.rows.get("e:message:m1") as Message;
    expect(message).toMatchObject({ createdAt: team.town.now });
    expect(message).not.toHaveProperty("writtenAt");
  });

  it("don't make a channel unread", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    await olga.op("channel.update", { id: "general", topic: "x" });
    await team.town.pass(60_000);
    await olga.again();
    expect(olga.wire.last("welcome").heads?.list).toMatchObject({ general: { seq: 2, top: 0 } });
  });
});

describe("[OP13] an archived channel, and one for admins to post in", () => {
  it("is read and not written until it is opened again", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const mara = await team.enter(await team.invite("mara"));
    await directory.op("channel.archive", { id: "general", on: true });
    await team.town.quiet();
    const refused = await mara.post("x");
    expect(refused).toMatchObject({ t: "refuse", code: "archived", detail: "#general is archived." });
    await mara.wire.say({ t: "history", before: 99 });
    expect(mara.wire.last("history").messages.length).toBeGreaterThan(0);
    await directory.op("channel.archive", { id: "general", on: false });
    await team.town.quiet();
    expect(outcome(await mara.post("x"))).toBe("ack");
  });

  it.each([
    ["archived", "channel.archive", { on: true }, { on: false }],
    ["for admins", "channel.update", { posting: "admins" }, { posting: "all" }],
  ])("[OP12] %s: is written in as soon as that is over, though its room hasn't heard of it", async (_, op, on, off) => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const mara = await team.enter(await team.invite("mara"));
    await directory.op(op, { id: "general", ...on });
    await team.town.quiet();
    team.town.isCut = true;
    await directory.op(op, { id: "general", ...off });
    await team.town.quiet();
    team.town.isCut = false;
    const post = mara.frame("message.post", { id: "m1", text: "Here again" });
    // Held, for what was learned may have thrown out whoever wrote.
    expect(await mara.send(post)).toMatchObject({ t: "refuse", code: "rate_limited", held: true });
    expect(outcome(await mara.send(post))).toBe("ack");
  });

  it("[OP12] holds what is written while nobody can be asked whether it still is, and asks once for all of it", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const mara = await team.enter(await team.invite("mara"));
    await directory.op("channel.archive", { id: "general", on: true });
    await team.town.quiet();
    team.town.isCut = true;
    const before = team.town.calls;
    const post = mara.frame("message.post", { id: "m1", text: "x" });
    for (let at = 0; at < 9; at += 1)
      expect(await mara.send(post)).toMatchObject({ t: "refuse", code: "upstream_unavailable", held: true });
    expect(team.town.calls - before).toBeLessThanOrEqual(1);
    team.town.isCut = false;
    await team.town.pass(5_000);
    expect(outcome(await mara.send(post))).toBe("archived");
  });

  it("[RM5] takes nothing of whoever is thrown out by what it learns then", async () => {
    const { team, olga, inside } = await withPrivate();
    await olga.op("channel.archive", { id: "den", on: true });
    await team.town.quiet();
    team.town.isCut = true;
    await olga.op("channel.members", { id: "den", remove: ["mara"] });
    await olga.op("channel.archive", { id: "den", on: false });
    await team.town.quiet();
    team.town.isCut = false;
    await inside.wire.say(inside.frame("message.post", { id: "m1", text: "From outside" }));
    await team.town.pass(5_000);
    expect(team.room("den").storage.rows.has("e:message:m1")).toBe(false);
    expect(inside.wire.closed).toMatchObject({ code: 4403 });
  });

  it("costs the workspace few questions, however often somebody writes where it is archived", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const mara = await team.enter(await team.invite("mara"));
    await directory.op("channel.archive", { id: "general", on: true });
    await team.town.quiet();
    const before = team.town.calls;
    for (let at = 0; at < 20; at += 1) expect(outcome(await mara.post("x"))).toBe("archived");
    expect(team.town.calls - before).toBe(5);
    for (let at = 0; at < 20; at += 1) {
      team.town.now += 100;
      expect(outcome(await mara.post("x"))).toBe("archived");
    }
    expect(team.town.calls - before).toBeLessThanOrEqual(7);
  });

  it("takes posts of admins alone where posting is theirs; reactions of all", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    await directory.op("channel.update", { id: "general", posting: "admins" });
    await team.town.quiet();
    const olga = await team.enter(OLGA);
    const mara = await team.enter(await team.invite("mara"));
    expect(outcome(await olga.op("message.post", { id: "m1", text: "News" }))).toBe("ack");
    expect(outcome(await mara.post("x"))).toBe("forbidden");
    expect(outcome(await mara.op("message.react", { id: "m1", emoji: "👍", on: true }))).toBe("ack");
  });
});
