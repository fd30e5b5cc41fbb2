import { describe, expect, it } from "vitest";
import { uuidv7 } from "uuidv7";
import { OLGA, Team } from "../test/people.ts";

function op(n: number, id: string, text: string): Record<string, unknown> {
  return { t: "op", n, id: `op-${id}`, op: "message.post", args: { id, text }, at: 0 };
}

async function withToken(): Promise<{
  team: Team;
  send: (ops: unknown[], device?: string) => Promise<unknown>;
  token: string;
}> {
  const team = await Team.make();
  const token = await team.token(OLGA, team.channel());
  const device = uuidv7();
  return { team, token, send: (ops, other = device) => team.room().http("POST", "ops", token, { device: other, ops }) };
}

describe("ops over HTTP", () => {
  it("[OP8] are answered in order, as on a socket, and shown to everybody", async () => {
    const { team, send } = await withToken();
    const mara = await team.enter(await team.invite("mara"));
    const answer = await send([op(1, "m1", "One"), op(2, "m2", ""), op(3, "m3", "Three")]);
    expect(answer).toMatchObject({
      results: [
        { t: "ack", n: 1, entities: [{ text: "One" }] },
        { t: "refuse", n: 2, code: "invalid", held: false },
        { t: "ack", n: 3 },
      ],
      lastN: 3,
      epoch: mara.wire.last("welcome").epoch,
    });
    await team.town.pass(1_000);
    expect(mara.wire.all("changes").flatMap(({ entities }) => entities)).toMatchObject([
      { text: "One" },
      { text: "Three" },
    ]);
  });

  it("[OP8] beside a socket of the same device double nothing and keep the order", async () => {
    const { team, send } = await withToken();
    const olga = await team.enter(OLGA);
    const frames = [1, 2, 3].map((n) => olga.frame("message.post", { id: `m${n}`, text: `m${n}` }, n));
    const [first, second, third] = frames;
    if (!first || !second || !third) return;
    await Promise.all([send(frames, olga.device), olga.wire.say(first), olga.wire.say(second), olga.wire.say(third)]);
    const posts = [...team.room().storage.rows.keys()].filter((key) => key.startsWith("e:message:m"));
    expect(posts.toSorted()).toEqual(["e:message:m1", "e:message:m2", "e:message:m3"]);
    expect(await send([third], olga.device)).toMatchObject({ results: [{ t: "ack", rev: null }], lastN: 3 });
  });

  it("stop after the first held refusal, and after a device conflict", async () => {
    const { send } = await withToken();
    expect(await send([op(2, "m2", "x"), op(3, "m3", "x")])).toMatchObject({
      results: [{ t: "refuse", code: "out_of_order", held: true, expected: 1 }],
      lastN: 0,
    });
    await send([op(1, "m1", "x")]);
    expect(await send([op(1, "other", "x"), op(2, "m2", "x")])).toMatchObject({
      results: [{ t: "refuse", code: "device_conflict" }],
      lastN: 1,
    });
  });

  it("answer what was done before their sender was taken out in their midst", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    const directory = await team.enter(OLGA, team.workspace);
    await directory.op("channel.create", { id: "den", access: "private", name: "den", members: [mara] });
    await team.town.pass(60_000);
    const token = await team.token(mara, team.channel("den"));
    const { storage } = team.room("den");
    const commit = storage.commit.bind(storage);
    const { policy } = (storage.rows.get("s") as { own: { policy: Record<string, unknown> } }).own;
    storage.commit = async (puts, deletes) => {
      storage.commit = commit;
      await commit(puts, deletes);
      const next = { ...policy, rev: 999, members: { whole: [OLGA] }, retentionDays: null, deny: [], lines: [] };
      void team.room("den").call("POST", "policy", next);
    };
    const ops = [1, 2].map((n) => ({
      t: "op",
      n,
      id: `o${n}`,
      op: "message.post",
      args: { id: `m${n}`, text: "x" },
      at: 0,
    }));
    const answer = await team.room("den").http("POST", "ops", token, { device: "d", ops });
    expect(answer).toMatchObject({ results: [{ t: "ack", n: 1 }], lastN: 1 });
    expect(await team.room("den").http("POST", "ops", token, { device: "d", ops })).toMatchObject({
      code: "forbidden",
    });
  });

  it("stop at a failed write, which is held like any other", async () => {
    const { team, send } = await withToken();
    team.room().storage.fault = () => {
      throw new Error("Full");
    };
    expect(await send([op(1, "m1", "x"), op(2, "m2", "x")])).toMatchObject({
      results: [{ t: "refuse", n: 1, code: "internal", held: true }],
    });
    team.room().storage.fault = null;
    expect(await send([op(1, "m1", "x")])).toMatchObject({ results: [{ t: "ack" }], lastN: 1 });
  });

  it.each([
    ["no list", { device: "d", ops: {} }],
    ["none", { device: "d", ops: [] }],
    ["65", { device: "d", ops: Array.from({ length: 65 }, (_, index) => op(index + 1, `m${index}`, "x")) }],
    ["no device", { ops: [op(1, "m", "x")] }],
    ["a frame of another kind", { device: "d", ops: [{ t: "hello" }] }],
  ])("are refused as a whole where the body doesn't fit: %s", async (_what, body) => {
    const { team, token } = await withToken();
    const answer = (await team.room().http("POST", "ops", token, body)) as { code: string };
    expect(["invalid", "too_many"]).toContain(answer.code);
  });
});

describe("pages over HTTP", () => {
  it("[SY1] changes go on from a cursor, and start anew for another epoch or one beyond head", async () => {
    const { team, token, send } = await withToken();
    await send([op(1, "m1", "One"), op(2, "m2", "Two")]);
    const get = (query: string): Promise<unknown> => team.room().http("GET", `changes?${query}`, token);
    expect(await get("since=2")).toMatchObject({
      t: "changes",
      from: 2,
      to: 3,
      entities: [{ text: "Two" }],
      more: false,
    });
    expect(await get("since=2")).not.toHaveProperty("reset");
    expect(await get("since=2&epoch=other")).toMatchObject({ from: 0, to: 3, reset: true });
    expect(await get("since=0&epoch=other")).toMatchObject({ from: 0, to: 3, reset: true });
    expect(await get("since=999")).toMatchObject({ from: 0, to: 3, reset: true });
    expect(await get("since=0&limit=1")).toMatchObject({ from: 0, to: 1, more: true });
    expect(await get("since=-1")).toMatchObject({ code: "invalid" });
    expect(await get("since=many")).toMatchObject({ code: "invalid" });
  });

  it("[SY6] history carries the head at which it was read", async () => {
    const { team, token, send } = await withToken();
    await send([op(1, "m1", "One"), op(2, "m2", "Two")]);
    const get = (query: string): Promise<unknown> => team.room().http("GET", `history?${query}`, token);
    expect(await get("before=3&limit=1")).toMatchObject({ t: "history", messages: [{ seq: 2 }], more: true, rev: 3 });
    expect(await get("around=2&limit=3")).toMatchObject({
      messages: [{ seq: 1 }, { seq: 2 }, { seq: 3 }],
      more: false,
    });
    expect(await get("")).toMatchObject({ code: "invalid" });
    expect(await get("before=1&around=2")).toMatchObject({ code: "invalid" });
  });

  it("want a token", async () => {
    const { team } = await withToken();
    expect(await team.room().http("GET", "changes?since=0", "nonsense")).toMatchObject({ code: "unauthenticated" });
  });
});
