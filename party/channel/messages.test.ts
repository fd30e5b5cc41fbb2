import { describe, expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import { REACTION_KINDS_MAX, TEXT_MAX_CHARS, VERSIONS_KEPT } from "#protocol/limits.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";

async function withPost(): Promise<{ team: Team; olga: Person; mara: Person }> {
  const team = await Team.make();
  const mara = await team.enter(await team.invite("mara"));
  const olga = await team.enter(OLGA);
  await olga.op("message.post", { id: "m1", text: "Olga's" });
  return { team, olga, mara };
}

function stored(team: Team, id: string): Message {
  return team.room().storage.rows.get(`e:message:${id}`) as Message;
}

describe("posting", () => {
  it("[RV4] gives places contiguous from 1, and times that never decrease", async () => {
    const { team, olga, mara } = await withPost();
    team.town.now -= 60_000;
    await mara.post("With the clock back");
    await olga.post("Again");
    const { messages } = (await team
      .room()
      .http("GET", "history?before=99", await team.token(OLGA, team.channel()))) as {
      messages: Message[];
    };
    expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    const times = messages.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("keeps the time it was written at when clocks differ, and clamps one far ahead", async () => {
    const { team, olga } = await withPost();
    const at = team.town.now;
    const hourAgo = { ...olga.frame("message.post", { id: "past", text: "x" }, 2), at: at - 3_600_000 };
    const tomorrow = { ...olga.frame("message.post", { id: "future", text: "x" }, 3), at: at + 86_400_000 };
    await olga.send(hourAgo);
    await olga.send(tomorrow);
    expect(stored(team, "past")).toMatchObject({ writtenAt: at - 3_600_000, createdAt: at });
    expect(stored(team, "future")).toMatchObject({ writtenAt: at, createdAt: at });
    expect(stored(team, "m1")).not.toHaveProperty("writtenAt");
  });

  it("[OP14] of an id that stands is without effect for its author, invalid for others", async () => {
    const { team, olga, mara } = await withPost();
    expect(outcome(await olga.op("message.post", { id: "m1", text: "Changed" }))).toBe("none");
    expect(outcome(await mara.op("message.post", { id: "m1", text: "Taken over" }))).toBe("invalid");
    expect(stored(team, "m1")).toMatchObject({ text: "Olga's", author: OLGA });
  });

  it("has the author from the token and the place from the room, whatever the op says", async () => {
    const { team, mara } = await withPost();
    await mara.op("message.post", {
      id: "m2",
      text: "Forged",
      author: OLGA,
      seq: 1,
      rev: 1,
      system: { type: "created" },
    });
    const message = stored(team, "m2");
    expect(message).toMatchObject({ author: "mara", seq: 4 });
    expect(message).not.toHaveProperty("system");
  });

  it("takes replies to messages, and none to replies, system lines or what isn't there", async () => {
    const { team, olga, mara } = await withPost();
    expect(outcome(await mara.op("message.post", { id: "r1", text: "Reply", root: "m1" }))).toBe("ack");
    expect(stored(team, "m1").replies).toMatchObject({ count: 1, people: ["mara"] });
    expect(outcome(await olga.op("message.post", { id: "r2", text: "x", root: "r1" }))).toBe("invalid");
    expect(outcome(await olga.op("message.post", { id: "r3", text: "x", root: "gone" }))).toBe("not_found");
    const line = [...team.room().storage.rows.entries()].find(([, row]) => (row as Message).seq === 1)?.[1] as Message;
    expect(outcome(await olga.op("message.post", { id: "r4", text: "x", root: line.id }))).toBe("invalid");
  });
});

describe("[OP13] others' messages", () => {
  it("aren't edited by anybody, nor deleted but by who may manage", async () => {
    const { olga, mara } = await withPost();
    await mara.op("message.post", { id: "m2", text: "Mara's" });
    expect(outcome(await mara.op("message.edit", { id: "m1", text: "Not hers", base: 0 }))).toBe("forbidden");
    expect(outcome(await olga.op("message.edit", { id: "m2", text: "Not hers", base: 0 }))).toBe("forbidden");
    expect(outcome(await mara.op("message.delete", { id: "m1" }))).toBe("forbidden");
    expect(outcome(await olga.op("message.delete", { id: "m2" }))).toBe("ack");
  });

  it("can be read but not answered with a token that only reads", async () => {
    const { team } = await withPost();
    const reader = await team.enter(await team.invite("rita"));
    await reader.again({ token: await team.town.token("rita", team.channel(), ["read"]) });
    expect(reader.wire.last("welcome").you.can).toEqual(["read"]);
    expect(outcome(await reader.post("x"))).toBe("forbidden");
    expect(outcome(await reader.op("message.react", { id: "m1", emoji: "👍", on: true }))).toBe("forbidden");
  });
});

describe("[OP13] pins", () => {
  it("are set by who has the right, on messages only, and not where nobody may write", async () => {
    const { team, olga, mara } = await withPost();
    expect(outcome(await mara.op("message.pin", { id: "m1", on: true }))).toBe("ack");
    expect(stored(team, "m1")).toMatchObject({ pinned: { by: "mara" } });
    expect(outcome(await olga.op("message.pin", { id: "m1", on: true }))).toBe("none");
    expect(outcome(await olga.op("message.pin", { id: "m1", on: false }))).toBe("ack");
    expect(outcome(await olga.op("message.pin", { id: "elsewhere", on: true }))).toBe("not_found");
    const rows = [...team.room().storage.rows.values()] as Message[];
    const line = rows.find((row) => row.kind === "message" && row.seq === 1);
    expect(outcome(await olga.op("message.pin", { id: line?.id, on: true }))).toBe("invalid");
    const guest = await team.enter(await team.invite("gil"));
    await guest.again({ token: await team.town.token("gil", team.channel(), ["read", "write"]) });
    expect(outcome(await guest.op("message.pin", { id: "m1", on: true }))).toBe("forbidden");
    await olga.op("message.delete", { id: "m1" });
    expect(outcome(await olga.op("message.pin", { id: "m1", on: true }))).toBe("not_found");
  });
});

describe("editing", () => {
  it("[SV4] from beyond what there is, as before a restoration, leaves what was said since to be read", async () => {
    const { team, olga } = await withPost();
    await olga.op("message.edit", { id: "m1", text: "First", base: 999 });
    expect(stored(team, "m1")).not.toHaveProperty("replaced");
    await olga.op("message.edit", { id: "m1", text: "Elsewhere", base: stored(team, "m1")?.rev ?? 0 });
    await olga.op("message.edit", { id: "m1", text: "From before", base: (stored(team, "m1")?.rev ?? 0) + 1 });
    expect(stored(team, "m1")).toMatchObject({ text: "From before", replaced: { text: "Elsewhere" } });
  });

  it("keeps the last 20 earlier texts apart from the message", async () => {
    const { team, olga } = await withPost();
    for (let index = 1; index <= VERSIONS_KEPT + 5; index += 1) {
      await olga.op("message.edit", { id: "m1", text: `Version ${index}`, base: 0 });
    }
    const versions = [...team.room().storage.rows].filter(([key]) => key.startsWith("v:m1:"));
    expect(versions).toHaveLength(VERSIONS_KEPT);
    expect(versions.map(([, row]) => (row as { text: string }).text)).toContain("Version 24");
    expect(stored(team, "m1")).toMatchObject({ text: "Version 25", edits: 25 });
  });

  it("[RV3] deletion takes text, reactions and all versions, and leaves a tombstone in its place", async () => {
    const { team, olga, mara } = await withPost();
    await olga.op("message.edit", { id: "m1", text: "Secret two", base: 0 });
    await mara.op("message.react", { id: "m1", emoji: "👍", on: true });
    await olga.op("message.delete", { id: "m1" });
    expect(stored(team, "m1")).toMatchObject({ deleted: true, seq: 3, author: OLGA });
    const rows = JSON.stringify([...team.room().storage.rows]);
    expect(rows).not.toMatch(/Secret two|Olga's|👍/);
    expect(outcome(await olga.op("message.delete", { id: "m1" }))).toBe("none");
    expect(outcome(await olga.op("message.edit", { id: "m1", text: "Back", base: 0 }))).toBe("not_found");
  });
});

describe("[RV8] reactions", () => {
  it("are of at most 20 kinds on a message", async () => {
    const { olga } = await withPost();
    for (let index = 0; index < REACTION_KINDS_MAX; index += 1) {
      const emoji = String.fromCodePoint(0x1f600 + index);
      expect(outcome(await olga.op("message.react", { id: "m1", emoji, on: true }))).toBe("ack");
    }
    expect(outcome(await olga.op("message.react", { id: "m1", emoji: "🦊", on: true }))).toBe("too_many");
    expect(outcome(await olga.op("message.react", { id: "m1", emoji: "😀", on: true }))).toBe("none");
    expect(outcome(await olga.op("message.react", { id: "m1", emoji: "😀", on: false }))).toBe("ack");
  });

  it("leave room beside them for the longest text, its answers and a pin, however many people react", async () => {
    const { team, olga, mara } = await withPost();
    const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
    // As so many people would leave them, one op each.
    const names = Array.from({ length: 400 }, (_, n) => id(n));
    const key = "e:message:m1";
    team.room().storage.rows.set(key, { ...stored(team, "m1"), reactions: { "👍": names, "🎉": names.slice(0, 124) } });
    team.room().sleep();
    const react = async (emoji: string): Promise<string> =>
      outcome(await mara.op("message.react", { id: "m1", emoji, on: true }));
    for (const emoji of ["👍", "🎉"]) expect(await react(emoji)).toBe("ack");
    expect(await react("😀")).toBe("too_many");
    // What one has said already stands.
    expect(await react("👍")).toBe("none");
    const longest = "漢".repeat(TEXT_MAX_CHARS);
    expect(outcome(await olga.op("message.edit", { id: "m1", text: longest, base: 0 }))).toBe("ack");
    for (let at = 0; at < 6; at += 1) expect(outcome(await mara.post("Short", { root: "m1" }))).toBe("ack");
    expect(outcome(await olga.op("message.pin", { id: "m1", on: true }))).toBe("ack");
  });

  it.each(["__proto__", "constructor", "abc", "", "👍👍"])("take no %j for an emoji", async (emoji) => {
    const { olga } = await withPost();
    expect(outcome(await olga.op("message.react", { id: "m1", emoji, on: true }))).toBe("invalid");
  });
});

describe("history", () => {
  it("[SY2] pages back from a place, oldest first, and around a message", async () => {
    const { team, olga } = await withPost();
    for (let index = 0; index < 250; index += 1) {
      team.town.now += 100;
      await olga.post(`m${index}`);
    }
    await olga.wire.say({ t: "history", q: 1, before: 201, limit: 100 });
    const page = olga.wire.last("history");
    expect(page.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => 101 + index));
    expect(page).toMatchObject({ q: 1, more: true });
    await olga.wire.say({ t: "history", before: 51, limit: 1_000 });
    expect(olga.wire.last("history")).toMatchObject({ more: false });
    expect(olga.wire.last("history").messages).toHaveLength(50);
    await olga.wire.say({ t: "history", around: 100, limit: 21 });
    expect(olga.wire.last("history").messages.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 21 }, (_, index) => 90 + index),
    );
    await olga.wire.say({ t: "history", around: 2, limit: 10 });
    expect(olga.wire.last("history").messages[0]?.seq).toBe(1);
    await olga.wire.say({ t: "history", around: 253, limit: 10 });
    expect(olga.wire.last("history").messages.at(-1)?.seq).toBe(253);
    // As much as a slow line bears, and the message that was asked for in any case.
    await olga.wire.say({ t: "history", around: 100, limit: 99, bytes: 1 });
    const near = olga.wire.last("history").messages.map(({ seq }) => seq);
    expect(near).toContain(100);
    expect(near.length).toBeLessThan(99);
    expect(near).toEqual(near.map((_, at) => near[0]! + at));
    await olga.wire.say({ t: "history", before: 201, bytes: 1 });
    expect(olga.wire.last("history").messages.at(-1)?.seq).toBe(200);
    expect(olga.wire.last("history")).toMatchObject({ more: true });
    await olga.wire.say({ t: "history", before: 1 });
    expect(olga.wire.last("history")).toMatchObject({ messages: [], more: false });
  });
});
