import { describe, expect, it } from "vitest";
import { OPS_BURST, REFUSALS_PER_MINUTE } from "#protocol/limits.ts";
import type { Device } from "./devices.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";

describe("numbers", () => {
  it("[OP1] an op stores its entities, the head and the device's record in one write", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const { storage } = team.room();
    const before = storage.writes;
    await olga.post("Hello");
    expect(storage.writes - before).toBe(1);
    const head = team.room().storage.rows.get("s") as { head: number };
    expect(olga.wire.last("ack").rev).toBe(head.head);
    expect(storage.rows.get(`d:${OLGA}:${olga.device}`)).toMatchObject({ last: 1 });
  });

  it("[OP3] the same op again gets the same answer and does nothing", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const frame = olga.frame("message.post", { id: team.town.newId(), text: "Once" }, 1);
    const first = await olga.send(frame);
    const written = team.room().storage.written;
    const second = await olga.send(frame);
    expect(first).toMatchObject({ t: "ack", entities: [{ text: "Once" }] });
    expect(second).toMatchObject({ t: "ack", rev: null, entities: [{ text: "Once" }] });
    expect(team.room().storage.written).toBe(written);
  });

  it("[OP2] a refusal uses the number up and is remembered", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const refused = olga.frame("message.edit", { id: "not-there", text: "x", base: 0 }, 1);
    const first = await olga.send(refused);
    expect(first).toMatchObject({ t: "refuse", code: "not_found", held: false });
    expect(await olga.send(refused)).toEqual(first);
    expect(outcome(await olga.send(olga.frame("message.post", { id: "m2", text: "Next" }, 2)))).toBe("ack");
  });

  it("[OP3] another op under a used number is a conflict, and ends the connection", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.send(olga.frame("message.post", { id: "m1", text: "One" }, 1));
    const answer = await olga.send(olga.frame("message.post", { id: "m2", text: "Other" }, 1));
    expect(answer).toMatchObject({ t: "refuse", code: "device_conflict", held: false });
    expect(olga.wire.closed).toEqual({ code: 4409, reason: "device_conflict" });
  });

  it("[OP5] a number too high is held and says which is expected, and costs no write", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const { storage } = team.room();
    const before = storage.written;
    const answer = await olga.send(olga.frame("message.post", { id: "m3", text: "Three" }, 3));
    expect(answer).toMatchObject({ t: "refuse", code: "out_of_order", held: true, expected: 1 });
    expect(storage.written).toBe(before);
  });

  it("[OP6] skip uses a number up without effect, out of turn like an op", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const skip = { t: "skip", n: 1, id: "op-1" };
    expect(await olga.send({ ...skip, n: 2 })).toMatchObject({ t: "refuse", code: "out_of_order", expected: 1 });
    expect(await olga.send(skip)).toMatchObject({ t: "ack", n: 1, rev: null, entities: [], done: false });
    expect(await olga.send(skip)).toMatchObject({ t: "ack", n: 1, rev: null, done: false });
    // Sent the same late by a tab that didn't know: it wasn't done, whoever asks.
    const late = olga.frame("message.post", { id: "m1", text: "One" }, 1);
    expect(await olga.send({ ...late, id: "op-1" })).toMatchObject({ t: "ack", n: 1, rev: null, done: false });
    expect(outcome(await olga.send(olga.frame("message.post", { id: "m2", text: "Two" }, 2)))).toBe("ack");
  });

  it("[OP6] skip of an op that was done before says so, and of one from an older build's time nothing", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const frame = olga.frame("message.post", { id: "m1", text: "One" }, 1);
    await olga.send(frame);
    const skip = { t: "skip", n: 1, id: frame.id };
    expect(await olga.send(skip)).toMatchObject({ t: "ack", n: 1, rev: null, done: true });
    const { rows } = team.room().storage;
    const key = `d:${OLGA}:${olga.device}`;
    const { skips: _, ...older } = rows.get(key) as Device;
    rows.set(key, older);
    expect(await olga.send(skip)).not.toHaveProperty("done");
    await olga.send(olga.frame("message.post", { id: "m2", text: "Two" }, 2));
    expect(await olga.send(skip)).not.toHaveProperty("done");
  });

  it("[OP6] skip of an op that was done under another number says so, also when it comes again", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const frame = olga.frame("message.post", { id: "m1", text: "once" });
    await olga.send(frame);
    const skip = { t: "skip", n: frame.n + 1, id: frame.id } as const;
    for (let time = 0; time < 2; time += 1) {
      expect(await olga.send(skip)).toMatchObject({ t: "ack", n: skip.n, done: true });
    }
    expect(await olga.send({ ...frame, n: skip.n })).toMatchObject({ t: "ack", rev: null, entities: [{ id: "m1" }] });
  });

  it("[OP7] welcome names the last number processed", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    expect(olga.wire.last("welcome").lastN).toBe(0);
    await olga.post("One");
    await olga.op("message.edit", { id: "not-there", text: "x", base: 0 });
    await olga.again();
    expect(olga.wire.last("welcome").lastN).toBe(2);
  });

  it("[OP9] a refused op doesn't block the ones behind it", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    expect(outcome(await olga.post(""))).toBe("invalid");
    expect(outcome(await olga.post("x".repeat(8_001)))).toBe("too_long");
    expect(outcome(await olga.op("no.such.op", {}))).toBe("invalid");
    expect(outcome(await olga.op("channel.join", { id: "general" }))).toBe("invalid");
    expect(outcome(await olga.post("Still here"))).toBe("ack");
  });

  it("[OP14] an op without effect uses its number, raises nothing and acks with null", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.op("message.post", { id: "m1", text: "One" });
    const head = olga.wire.last("ack").rev;
    expect(await olga.op("message.post", { id: "m1", text: "One" })).toMatchObject({ t: "ack", rev: null });
    expect(await olga.op("message.react", { id: "m1", emoji: "👍", on: false })).toMatchObject({ t: "ack", rev: null });
    const next = await olga.post("Two");
    expect(next).toMatchObject({ n: 4, rev: (head ?? 0) + 1 });
  });

  it("[RV1] every effect raises head by one and stamps all it changed with it, in both rooms", async () => {
    const team = await Team.make();
    const [inChannel, inDirectory] = [await team.enter(OLGA), await team.enter(OLGA, team.workspace)];
    const steps: [Person, string, unknown, number][] = [
      [inChannel, "message.post", { id: "m1", text: "Root" }, 1],
      [inChannel, "message.post", { id: "m2", text: "Reply", root: "m1" }, 2],
      [inChannel, "message.react", { id: "m1", emoji: "👍", on: true }, 1],
      [inDirectory, "channel.create", { id: "news", access: "public", name: "news" }, 2],
      // And the read position that the posts moved.
      [inDirectory, "draft.set", { channel: "news", text: "x" }, 2],
    ];
    for (const [person, op, args, count] of steps) {
      const { storage } = team.town.site(person.room);
      const before = (storage.rows.get("s") as { head: number }).head;
      const answer = await person.op(op, args);
      const stamped = [...storage.rows.values()].filter(
        (row) => (row as { kind?: string; rev?: number }).rev === before + 1,
      );
      expect(answer).toMatchObject({ t: "ack", rev: before + 1 });
      expect(storage.rows.get("s")).toMatchObject({ head: before + 1 });
      expect(stamped.filter((row) => "kind" in (row as object))).toHaveLength(count);
    }
  });

  it("[OP3] an op that comes again under a later number was done under the earlier", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.op("message.post", { id: "m1", text: "As it was" });
    const older = olga.frame("message.edit", { id: "m1", text: "Older", base: 0 }, 2);
    const refused = olga.frame("message.edit", { id: "m2", text: "Of one to come", base: 0 }, 3);
    expect([outcome(await olga.send(older)), outcome(await olga.send(refused))]).toEqual(["ack", "not_found"]);
    olga.n = 3;
    await olga.op("message.edit", { id: "m1", text: "Newer", base: 0 });
    await olga.op("message.post", { id: "m2", text: "Here by now" });
    expect(outcome(await olga.send({ ...older, n: 6 }))).toBe("none");
    // What was refused has done nothing: it is tried anew.
    expect(outcome(await olga.send({ ...refused, n: 7 }))).toBe("ack");
    expect(team.room().storage.rows.get("e:message:m1")).toMatchObject({ text: "Newer" });
  });
});

describe("rates", () => {
  it("[OP15] holds ops beyond the burst, without a write, until there is room again", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    for (let index = 0; index < OPS_BURST; index += 1) await olga.post(`m${index}`);
    const { storage } = team.room();
    const before = storage.written;
    const held = olga.frame("message.post", { id: "late", text: "Late" }, OPS_BURST + 1);
    const answer = await olga.send(held);
    expect(answer).toMatchObject({ t: "refuse", code: "rate_limited", held: true });
    expect(answer.t === "refuse" ? answer.retryAfter : 0).toBeGreaterThan(0);
    expect(storage.written).toBe(before);
    team.town.now += 1_000;
    expect(outcome(await olga.send(held))).toBe("ack");
  });

  it("[OP15] counts a user's sockets and HTTP together", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    for (let index = 0; index < OPS_BURST; index += 1) await olga.post(`m${index}`);
    const ops = [
      { t: "op", n: 1, id: "o1", op: "message.post", args: { id: "h1", text: "By HTTP" }, at: team.town.now },
    ];
    const token = await team.token(OLGA, team.channel());
    const answer = await team.room().http("POST", "ops", token, { device: "other", ops });
    expect(answer).toMatchObject({ results: [{ t: "refuse", code: "rate_limited", held: true }], lastN: 0 });
  });

  it("[OP15] holds refusals beyond 60 a minute without a write", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    for (let index = 0; index < REFUSALS_PER_MINUTE; index += 1) await olga.post("");
    const { storage } = team.room();
    const before = storage.written;
    const answer = await olga.post("");
    expect(answer).toMatchObject({ t: "refuse", code: "rate_limited", held: true });
    expect(storage.written).toBe(before);
  });
});
