import { describe, expect, it } from "vitest";
import { OLGA, outcome, Team } from "../test/people.ts";
import { Replica } from "../test/replica.ts";

function failOnce(): never {
  throw new Error("The disk says no: /var/secret");
}

describe("a write that fails", () => {
  it("[RV6] row 22 of the fault matrix: neither acks nor shows, and the same op sent again is done once", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    const { storage } = team.room();
    const before = JSON.stringify([...storage.rows]);
    storage.fault = failOnce;
    const frame = olga.frame("message.post", { id: "m1", text: "Once" }, 1);
    const refused = await olga.send(frame);
    expect(refused).toMatchObject({ t: "refuse", code: "internal", held: true });
    await team.town.pass(1_000);
    expect(mara.wire.all("changes")).toEqual([]);
    expect(JSON.stringify([...storage.rows])).toBe(before);
    storage.fault = null;
    expect(outcome(await olga.send(frame))).toBe("ack");
    await team.town.pass(1_000);
    expect(mara.wire.all("changes")).toMatchObject([{ entities: [{ text: "Once" }] }]);
  });

  it("[RV7] drops all memory: what was reserved is free again", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const { storage } = team.room();
    for (let n = 1; n <= 5; n += 1) {
      storage.fault = failOnce;
      await olga.send(olga.frame("message.post", { id: `m${n}`, text: "x" }, n));
      storage.fault = null;
      await olga.send(olga.frame("message.post", { id: `m${n}`, text: "x" }, n));
    }
    const seqs = olga.wire
      .all("ack")
      .flatMap(({ entities }) => entities.map((entity) => ("seq" in entity ? entity.seq : 0)));
    expect(seqs).toEqual([2, 3, 4, 5, 6]);
  });

  it("delivers what was committed before it", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await team.town.pass(1_000);
    await olga.post("At once");
    await olga.post("In the window");
    team.room().storage.fault = failOnce;
    await olga.send(olga.frame("message.post", { id: "lost", text: "Lost" }, 3));
    team.room().storage.fault = null;
    await team.town.pass(1_000);
    expect(mara.wire.all("changes").flatMap(({ entities }) => entities)).toMatchObject([
      { text: "At once" },
      { text: "In the window" },
    ]);
  });

  it("shows nothing of how it failed", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    team.room().storage.fault = failOnce;
    await olga.send(olga.frame("message.post", { id: "m1", text: "A secret text" }, 1));
    expect(olga.wire.texts.join()).not.toContain("disk");
    expect(JSON.stringify(team.town.logs)).not.toMatch(/secret|disk/);
    expect(team.town.logs).toMatchObject([{ event: "internal", where: "op", error: "Error" }]);
  });

  it("[RV6] an acknowledged op is there after a crash", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const frame = olga.frame("message.post", { id: "m1", text: "Kept" }, 1);
    await olga.send(frame);
    team.room().crash();
    await olga.again();
    expect(olga.wire.last("welcome").lastN).toBe(1);
    expect(olga.wire.last("snapshot").entities).toMatchObject([{ system: {} }, { text: "Kept" }]);
    expect(await olga.send(frame)).toMatchObject({ t: "ack", rev: null, entities: [{ text: "Kept", seq: 2 }] });
  });
});

describe("a write that was taken for failed and was done", () => {
  it("[SY1] leaves no hole: whoever was live pulls what it changed, and the op isn't done twice", async () => {
    const team = await Team.make();
    const mara = await team.enter(await team.invite("mara"));
    const olga = await team.enter(OLGA);
    await team.town.pass(1_000);
    const replica = new Replica();
    const { storage } = team.room();
    const commit = storage.commit.bind(storage);
    storage.commit = async (puts, deletes) => {
      storage.commit = commit;
      await commit(puts, deletes);
      throw new Error("No answer came");
    };
    const frame = olga.frame("message.post", { id: "m1", text: "Done all the same" }, 1);
    expect(await olga.send(frame)).toMatchObject({ t: "refuse", code: "internal", held: true });
    expect(await olga.send(frame)).toMatchObject({ t: "ack", rev: null });
    await olga.send(olga.frame("message.post", { id: "m2", text: "And on" }, 2));
    await team.town.pass(1_000);
    for (const one of mara.wire.frames) replica.take(one);
    expect(replica.pullFrom).not.toBeNull();
    const read = mara.wire.frames.length;
    await mara.wire.say({ t: "pull", since: replica.pullFrom ?? 0 });
    await olga.send(olga.frame("message.post", { id: "m3", text: "Live again" }, 3));
    await team.town.pass(1_000);
    for (const one of mara.wire.frames.slice(read)) replica.take(one);
    const texts = replica.contents.flatMap((one) => ("text" in one && one.text !== "" ? [one.text] : []));
    expect(texts).toEqual(["Done all the same", "And on", "Live again"]);
  });
});

describe("a process that ends between a write and the call it owes", () => {
  it("[SV1] has the net set before the write, in both rooms", async () => {
    const team = await Team.make();
    const directory = await team.enter(OLGA, team.workspace);
    const olga = await team.enter(OLGA);
    await team.town.pass(60_000);
    for (const [person, op, args] of [
      [olga, "message.post", { id: "m1", text: "One" }],
      [directory, "channel.update", { id: "general", topic: "Two" }],
    ] as const) {
      const { storage } = team.town.site(person.room);
      storage.alarm = null;
      team.town.site(person.room).sleep();
      const commit = storage.commit.bind(storage);
      let alarm: number | null | undefined;
      storage.commit = async (puts, deletes) => {
        alarm ??= storage.alarm;
        await commit(puts, deletes);
      };
      await person.op(op, args);
      expect(alarm).toBeGreaterThan(team.town.now);
    }
  });
});
