import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLIENT_FRAME_MAX_BYTES, HELLO_WITHIN_MS, SIGNAL_EVERY_MS } from "#protocol/limits.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";

describe("before hello", () => {
  it("[RM1] the room says nothing, and closes with 4408 after 10 s", async () => {
    const team = await Team.make();
    const wire = team.room().open();
    await team.town.pass(HELLO_WITHIN_MS - 1);
    expect(wire.texts).toEqual([]);
    expect(wire.closed).toBeNull();
    await team.town.pass(1);
    expect(wire.last("error").code).toBe("no_hello");
    expect(wire.closed).toEqual({ code: 4408, reason: "no_hello" });
  });

  it("[RM1] other frames aren't answered, and the third closes with 4422", async () => {
    const team = await Team.make();
    const wire = team.room().open();
    await wire.say({ t: "pull", since: 0 });
    await wire.say({ t: "history", before: 1 });
    expect(wire.texts).toEqual([]);
    await wire.say({ t: "op", n: 1, id: "o", op: "message.post", args: {}, at: 0 });
    expect(wire.last("error").code).toBe("invalid");
    expect(wire.closed).toEqual({ code: 4422, reason: "invalid" });
  });

  it("[RM1] a token that doesn't hold is told by one error and a close", async () => {
    const team = await Team.make();
    const wire = team.room().open();
    await wire.say({ t: "hello", v: 1, token: "x.y.z", device: "d", since: null });
    expect(wire.texts).toHaveLength(1);
    expect(wire.last("error").code).toBe("unauthenticated");
    expect(wire.closed).toEqual({ code: 4401, reason: "unauthenticated" });
  });

  it("an older protocol is told to update", async () => {
    const team = await Team.make();
    const person = await team.enter(OLGA, team.channel(), { v: 0 });
    expect(person.wire.closed).toEqual({ code: 4426, reason: "upgrade_required" });
  });

  it("a newer protocol, and fields nobody knows, are taken", async () => {
    const team = await Team.make();
    const person = await team.enter(OLGA, team.channel(), { v: 7, colour: "red" });
    expect(person.wire.last("welcome").you.user).toBe(OLGA);
  });

  it("a foreign client's token may come in the address", async () => {
    const team = await Team.make();
    const wire = team.room().open(await team.token(OLGA, team.channel()));
    await wire.say({ t: "hello", v: 1, token: "", device: "d", since: null });
    expect(wire.last("welcome").you.user).toBe(OLGA);
  });
});

describe("frames", () => {
  it("over 64 KiB close with 4413, at it they don't", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const filled = (bytes: number): string => {
      const frame = JSON.stringify({ t: "unknown", fill: "" });
      return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
    };
    await olga.wire.say(filled(CLIENT_FRAME_MAX_BYTES));
    expect(olga.wire.closed).toBeNull();
    await olga.wire.say(filled(CLIENT_FRAME_MAX_BYTES + 1));
    expect(olga.wire.closed).toEqual({ code: 4413, reason: "too_large" });
  });

  it("are counted in bytes, not characters", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.wire.say(JSON.stringify({ t: "unknown", fill: "漢".repeat(22_000) }));
    expect(olga.wire.closed?.code).toBe(4413);
  });

  it("of an unknown t are ignored, however many", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    for (let index = 0; index < 10; index += 1) await olga.wire.say({ t: "from-the-future" });
    expect(outcome(await olga.post("Still here"))).toBe("ack");
  });

  it("that can't be read close with the third", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.wire.say("{");
    await olga.wire.say('["t","op"]');
    expect(olga.wire.closed).toBeNull();
    await olga.wire.say({ t: "op", n: "one" });
    expect(olga.wire.closed).toEqual({ code: 4422, reason: "invalid" });
  });

  it("ping is answered by pong, even before hello", async () => {
    const team = await Team.make();
    const wire = team.room().open();
    await wire.say("ping");
    expect(wire.texts).toEqual(["pong"]);
  });

  it("whatever comes, the room and everybody else in it go on, and nothing leaks", async () => {
    const team = await Team.make();
    const other = await team.enter(await team.invite("mara"));
    const junk = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.string({ unit: "binary" }),
      fc
        .record({
          t: fc.constantFrom("hello", "pull", "history", "op", "skip", "signal", "auth", "x"),
          n: fc.anything(),
          q: fc.anything(),
        })
        .map((frame) => JSON.stringify(frame) ?? ""),
      opFrames,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(junk, { maxLength: 12 }), async (texts) => {
        team.town.now += 10_000;
        const person = await team.enter(OLGA);
        for (const text of texts) if (!person.wire.closed) await person.wire.say(text);
        expect(person.wire.texts.join("\n")).not.toMatch(/at .*\.ts:|TypeError|node_modules|undefined is not/);
        person.wire.drop();
        expect(outcome(await other.post("I go on"))).toBe("ack");
      }),
      { numRuns: 150 },
    );
    expect(team.town.logs).toEqual([]);
  });
});

const opFrames = fc
  .record({
    t: fc.constant("op"),
    n: fc.integer({ min: 1, max: 4 }),
    id: fc.constantFrom("o1", "o2", "o3"),
    op: fc.constantFrom(
      "message.post",
      "message.edit",
      "message.delete",
      "message.react",
      "channel.create",
      "__proto__",
    ),
    args: fc.oneof(
      fc.anything(),
      fc.record({
        id: fc.constantFrom("a", "b", "__proto__"),
        text: fc.string(),
        root: fc.anything(),
        emoji: fc.string(),
        on: fc.boolean(),
      }),
    ),
    at: fc.nat(),
  })
  .map((frame) => JSON.stringify(frame, (_key, value: unknown) => (typeof value === "bigint" ? "big" : value)));

describe("renewal", () => {
  it("[AU9] over the open socket takes a fresh token of the same user", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await team.town.pass(3_000_000);
    await olga.wire.say({ t: "auth", q: 3, token: await team.token(OLGA, team.channel()) });
    expect(olga.wire.last("authed")).toMatchObject({ q: 3, you: { user: OLGA } });
    await team.town.pass(3_000_000);
    expect(outcome(await olga.post("Still in"))).toBe("ack");
  });

  it("of another user is refused with 4403", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const mara = await team.invite("mara");
    await olga.wire.say({ t: "auth", token: await team.token(mara, team.channel()) });
    expect(olga.wire.closed).toEqual({ code: 4403, reason: "forbidden" });
  });

  it("keeps the connection live, in the place where it was", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await olga.wire.say({ t: "auth", token: await team.token(OLGA, team.channel()) });
    await mara.post("Heard");
    await team.town.pass(1_000);
    expect(olga.wire.last("changes")).toMatchObject({
      from: olga.wire.last("snapshot").head,
      entities: [{ text: "Heard" }],
    });
  });

  it("an op past a token's end is not done", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await team.town.pass(3_700_000);
    await olga.wire.say(olga.frame("message.post", { id: "late", text: "x" }, 1));
    expect(olga.wire.closed?.code).toBe(4401);
    expect(team.room().storage.rows.has("e:message:late")).toBe(false);
  });
});

describe("signals", () => {
  async function two(): Promise<{ team: Team; olga: Person; mara: Person }> {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    return { team, mara, olga: await team.enter(OLGA) };
  }

  it("are passed on to the others and not kept; more than one per 2 s is dropped", async () => {
    const { team, olga, mara } = await two();
    const written = team.room().storage.written;
    await olga.wire.say({ t: "signal", kind: "typing" });
    await olga.wire.say({ t: "signal", kind: "typing" });
    const heard = mara.wire.all("signal");
    expect(heard.filter(({ kind }) => kind === "typing")).toEqual([{ t: "signal", kind: "typing", from: OLGA }]);
    expect(olga.wire.all("signal")).toEqual([]);
    team.town.now += SIGNAL_EVERY_MS;
    await olga.wire.say({ t: "signal", kind: "typing", from: "mara" });
    expect(mara.wire.all("signal")).toHaveLength(heard.length + 1);
    expect(mara.wire.last("signal")).toMatchObject({ from: OLGA });
    // Nor are they held for an hour where the clock was set back by one.
    team.town.now -= 3_600_000;
    await olga.wire.say({ t: "signal", kind: "typing" });
    expect(mara.wire.all("signal")).toHaveLength(heard.length + 2);
    expect(team.room().storage.written).toBe(written);
  });

  it("say who is here, who came, who is away and who went", async () => {
    const { team, olga, mara } = await two();
    expect(olga.wire.last("welcome").present).toEqual(expect.arrayContaining([{ user: "mara", state: "active" }]));
    expect(mara.wire.all("signal")).toEqual([{ t: "signal", kind: "presence", from: OLGA, state: "active" }]);
    // On another device; they were here before.
    await team.enter(OLGA);
    expect(mara.wire.all("signal")).toHaveLength(1);
    await mara.wire.say({ t: "signal", kind: "presence", state: "away" });
    expect(olga.wire.last("signal")).toMatchObject({ kind: "presence", from: "mara", state: "away" });
    const late = await team.enter(await team.invite("lars"));
    expect(late.wire.last("welcome").present).toEqual(expect.arrayContaining([{ user: "mara", state: "away" }]));
    mara.wire.drop();
    await team.town.quiet();
    expect(olga.wire.last("signal")).toMatchObject({ kind: "presence", from: "mara", state: "gone" });
  });
});
