// A draft that two devices of a person send, of which one couldn't know of the other.
import { describe, expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import { DRAFTS_REMEMBERED_MAX } from "#protocol/limits.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";

const DRAFT = 1_700_000_000_000;

interface Two {
  readonly team: Team;
  readonly phone: Person;
  readonly laptop: Person;
}

async function twoDevices(): Promise<Two> {
  const team = await Team.make();
  return { team, phone: await team.enter(OLGA), laptop: await team.enter(OLGA) };
}

/** The phone has sent it. */
async function sentOnce(): Promise<Two> {
  const two = await twoDevices();
  await two.phone.op("message.post", { id: "phones", text: "Both", draft: DRAFT });
  return two;
}

function messages({ team }: Two): Message[] {
  const rows = [...team.room().storage.rows.entries()];
  return rows
    .filter(([key, row]) => key.startsWith("e:message:") && !("system" in (row as Message)))
    .map(([, row]) => row as Message);
}

const texts = (two: Two): string[] => messages(two).map((message) => (message.deleted ? "" : message.text));

describe("[OP18] a draft that two devices send", () => {
  it("is one message, with which the second is answered", async () => {
    const two = await sentOnce();
    const answer = await two.laptop.op("message.post", { id: "laptops", text: "Both", draft: DRAFT });
    expect(answer).toMatchObject({ t: "ack", rev: null, entities: [{ id: "phones", text: "Both" }] });
    expect(texts(two)).toEqual(["Both"]);
  });

  it("is answered alike when that answer was lost, and when it comes from a device that was given a new id", async () => {
    const two = await sentOnce();
    const { laptop } = two;
    const frame = laptop.frame("message.post", { id: "laptops", text: "Both", draft: DRAFT });
    await laptop.send(frame);
    expect(await laptop.send(frame)).toMatchObject({ t: "ack", rev: null, entities: [{ id: "phones" }] });
    await two.phone.op("message.edit", { id: "phones", text: "Both, edited", base: 99 });
    const anew = await two.team.enter(OLGA);
    expect(await anew.send({ ...frame, n: 1 })).toMatchObject({ t: "ack", rev: null, entities: [{ id: "phones" }] });
    expect(texts(two)).toEqual(["Both, edited"]);
  });

  it("takes on it what the second device did to its own, with what an edit replaced beside it", async () => {
    const two = await sentOnce();
    const { laptop, team } = two;
    const mara = await team.enter(await team.invite("mara"));
    await laptop.op("message.post", { id: "laptops", text: "Both", draft: DRAFT });
    expect(outcome(await laptop.op("message.react", { id: "laptops", emoji: "👍", on: true }))).toBe("ack");
    expect(outcome(await laptop.op("message.pin", { id: "laptops", on: true }))).toBe("ack");
    expect(
      outcome(await laptop.op("message.post", { id: "reply", text: "To it", root: "laptops", toChannel: true })),
    ).toBe("ack");
    expect(outcome(await laptop.op("message.edit", { id: "laptops", text: "Edited", base: 0 }))).toBe("ack");
    expect(messages(two).map(({ id, root }) => [id, root])).toEqual([
      ["phones", undefined],
      ["reply", "phones"],
    ]);
    expect(messages(two)[0]).toMatchObject({
      text: "Edited",
      reactions: { "👍": [OLGA] },
      pinned: { by: OLGA },
      replies: { count: 1 },
    });
    // Nobody else knows it by that name.
    expect(outcome(await mara.op("message.edit", { id: "laptops", text: "Hers", base: 0 }))).toBe("not_found");
    expect(messages(two)[0]).toMatchObject({ replaced: { text: "Both" } });
    await two.phone.op("message.delete", { id: "phones" });
    expect(outcome(await laptop.op("message.edit", { id: "laptops", text: "Too late", base: 0 }))).toBe("not_found");
    expect(texts(two)).toEqual(["", "To it"]);
  });

  it("stands where the second is deleted, by who had no answer to it, and goes with the first", async () => {
    const two = await sentOnce();
    const { laptop, phone } = two;
    await laptop.op("message.post", { id: "laptops", text: "Both", draft: DRAFT });
    const frame = laptop.frame("message.delete", { id: "laptops" }, 2);
    const answer = await laptop.send(frame);
    expect(answer).toMatchObject({ t: "ack", rev: null, entities: [{ id: "phones", text: "Both" }] });
    expect(await laptop.send(frame)).toEqual(answer);
    expect(texts(two)).toEqual(["Both"]);
    expect(outcome(await phone.op("message.delete", { id: "phones" }))).toBe("ack");
    expect(texts(two)).toEqual([""]);
  });

  it.each([
    ["other words", { text: "Both, and more" }],
    ["another draft", { draft: DRAFT + 1 }],
    ["no draft", { draft: undefined }],
    ["an answer to something", { root: "first" }],
  ])("is two where the second is %s", async (_, more) => {
    const two = await twoDevices();
    const { phone, laptop } = two;
    await phone.op("message.post", { id: "first", text: "First" });
    await phone.op("message.post", { id: "phones", text: "Both", draft: DRAFT });
    const args = { id: "laptops", text: "Both", draft: DRAFT, ...more };
    expect(outcome(await laptop.op("message.post", args))).toBe("ack");
    expect(messages(two)).toHaveLength(3);
  });

  it("stands again where the first was deleted or reads otherwise by then", async () => {
    for (const [op, args] of [
      ["message.delete", { id: "phones" }],
      ["message.edit", { id: "phones", text: "Otherwise", base: 99 }],
    ] as const) {
      const two = await sentOnce();
      await two.phone.op(op, args);
      expect(outcome(await two.laptop.op("message.post", { id: "laptops", text: "Both", draft: DRAFT }))).toBe("ack");
      expect(texts(two)).toContain("Both");
    }
  });

  it("is what it was meant to be where one device says the same twice", async () => {
    const two = await sentOnce();
    expect(outcome(await two.phone.op("message.post", { id: "again", text: "Both", draft: DRAFT }))).toBe("ack");
    expect(outcome(await two.laptop.op("message.post", { id: "laptops", text: "Both", draft: DRAFT }))).toBe("none");
    expect(outcome(await two.laptop.op("message.post", { id: "too", text: "Both", draft: DRAFT }))).toBe("ack");
    const third = await two.team.enter(OLGA);
    expect(outcome(await third.op("message.post", { id: "thirds", text: "Both", draft: DRAFT }))).toBe("none");
    expect(texts(two)).toEqual(["Both", "Both", "Both"]);
  });

  it("is known by its name where it is brought back from a note, which doesn't say of which draft it was", async () => {
    const two = await sentOnce();
    const { laptop } = two;
    await laptop.op("message.post", { id: "laptops", text: "Both", draft: DRAFT });
    expect(outcome(await laptop.op("message.post", { id: "laptops", text: "Both" }))).toBe("none");
    await laptop.op("message.edit", { id: "laptops", text: "Corrected", base: 99 });
    expect(texts(two)).toEqual(["Corrected"]);
  });

  it("has nothing to do with what others send, whatever they say of it", async () => {
    const two = await sentOnce();
    const mara = await two.team.enter(await two.team.invite("mara"));
    expect(outcome(await mara.op("message.post", { id: "maras", text: "Both", draft: DRAFT }))).toBe("ack");
    // Nor does a name lead from somebody's message to one's own.
    const again = await two.team.enter("mara" as typeof OLGA);
    expect(outcome(await again.op("message.post", { id: "phones", text: "Both", draft: DRAFT }))).toBe("invalid");
    expect(outcome(await two.phone.op("message.edit", { id: "phones", text: "Olga's still", base: 99 }))).toBe("ack");
    expect(texts(two).toSorted()).toEqual(["Both", "Olga's still"]);
  });

  it("is known among the last that a person sent", async () => {
    const two = await twoDevices();
    const { phone, laptop } = two;
    for (let at = 0; at <= DRAFTS_REMEMBERED_MAX; at += 1)
      await phone.op("message.post", { id: `m${at}`, text: `Draft ${at}`, draft: DRAFT + at });
    expect(outcome(await laptop.op("message.post", { id: "l1", text: "Draft 1", draft: DRAFT + 1 }))).toBe("none");
    expect(outcome(await laptop.op("message.post", { id: "l0", text: "Draft 0", draft: DRAFT }))).toBe("ack");
  });
});
