import { describe, expect, it } from "vitest";
import { CLIENT_FRAME_MAX_BYTES } from "#protocol/limits.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";

/** Says all of it without waiting for answers. */
function flood(
  person: Person,
  frames: number,
  frame: (index: number) => Record<string, unknown> | string,
): Promise<unknown> {
  return Promise.all(Array.from({ length: frames }, (_, index) => person.wire.say(frame(index))));
}

describe("whoever asks for page after page", () => {
  it.each([
    ["pull", { t: "pull", since: 0 }, "changes"],
    ["history", { t: "history", before: 9 }, "history"],
  ] as const)("is answered by and by, and nobody else waits for it: %s", async (_what, frame, answer) => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    mara.wire.clear();
    const said = flood(mara, 250, () => frame);
    await team.town.quiet();
    const atOnce = mara.wire.all(answer).length;
    expect(atOnce).toBeLessThan(205);
    expect(outcome(await olga.post("In time"))).toBe("ack");
    await team.town.pass(5_000);
    await said;
    expect(mara.wire.all(answer).length).toBeGreaterThanOrEqual(250);
    expect(mara.wire.closed).toBeNull();
  });

  it("says hello no oftener, whatever the number of sockets", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    const token = await team.token(mara, team.channel());
    const wires = Array.from({ length: 400 }, () => team.room().open());
    const said = wires.map((wire, index) => wire.say({ t: "hello", v: 1, token, device: `d${index}`, since: null }));
    await team.town.quiet();
    await expect
      .poll(() => wires.filter((wire) => wire.all("welcome").length > 0).length, { interval: 10 })
      .toBeGreaterThan(150);
    expect(wires.filter((wire) => wire.all("welcome").length > 0).length).toBeLessThan(205);
    await team.town.pass(30_000);
    await Promise.all(said);
  });

  it("is told over HTTP how long to wait", async () => {
    const team = await Team.make();
    const token = await team.token(OLGA, team.channel());
    const answers = [];
    for (let index = 0; index < 201; index += 1) answers.push(await team.room().http("GET", "history?before=9", token));
    expect(answers[199]).toMatchObject({ t: "history" });
    expect(answers[200]).toMatchObject({ code: "rate_limited", retryAfter: 0.05 });
  });
});

describe("whoever sends without waiting for answers", () => {
  it("is closed with 4429 when a window's worth and more waits", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await flood(olga, 2_000, () => ({ t: "pull", since: 0 }));
    expect(olga.wire.closed).toEqual({ code: 4429, reason: "rate_limited" });
  });

  it("isn't for a whole window of ops at once", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await flood(olga, 64, (index) =>
      olga.frame("message.post", { id: `m${index}`, text: "x".repeat(8_000) }, index + 1),
    );
    expect(olga.wire.all("ack")).toHaveLength(64);
  });

  it("is closed with 4413 for a frame too large, which isn't kept until its turn", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await flood(olga, 100, () => "x".repeat(CLIENT_FRAME_MAX_BYTES + 1));
    expect(olga.wire.closed).toEqual({ code: 4413, reason: "too_large" });
  });
});
