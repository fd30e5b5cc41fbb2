// A channel's room whose storage was taken back to an earlier state, and what the workspace room makes of it.
import { describe, expect, it } from "vitest";
import type { Read } from "#protocol/entities/my-state.ts";
import type { Head } from "#protocol/frames/welcome.ts";
import { GENERAL, OLGA, Team } from "../test/people.ts";

function copyOf(team: Team): ReadonlyMap<string, unknown> {
  return structuredClone(team.room().storage.rows);
}

/** As the platform's recovery leaves it: the stored epoch is the old one, and all memory is gone. */
function turnBack(team: Team, rows: ReadonlyMap<string, unknown>): void {
  const room = team.room();
  room.storage.rows.clear();
  for (const [key, value] of structuredClone(rows)) room.storage.rows.set(key, value);
  room.crash();
}

async function restored(team: Team, epoch = "e2"): Promise<number> {
  const { status } = await team.room().call("POST", "restored", { epoch });
  await team.town.pass(2_000);
  return status;
}

const epochOf = (team: Team): unknown => (team.room().storage.rows.get("s") as { epoch: string } | undefined)?.epoch;
const headOf = (team: Team): Head => team.directory.storage.rows.get(`h:${GENERAL}`) as Head;
const readOf = (team: Team, id: string): Read | undefined =>
  team.directory.storage.rows.get(`e:read:${id}`) as Read | undefined;

/** Two posts, at the places 3 and 4, a copy, and four more. */
async function written() {
  const team = await Team.make();
  const mara = await team.invite("mara");
  const directory = await team.enter(mara, team.workspace);
  const olga = await team.enter(OLGA);
  for (const text of ["one", "two"]) await olga.post(text);
  await team.town.pass(60_000);
  const rows = copyOf(team);
  for (const text of ["three", "four", "five", "six"]) await olga.post(text);
  await team.town.pass(60_000);
  return { team, mara, directory, olga, rows };
}

describe("[SV4] a restored channel's room", () => {
  it("begins a history of its own, in which everybody says hello again", async () => {
    const { team, rows, olga } = await written();
    const before = epochOf(team);
    const { epoch, head } = olga.wire.last("welcome");
    turnBack(team, rows);
    const early = await team.enter(OLGA, team.channel(), { since: head, epoch });
    expect(early.wire.closed).toBeNull();
    expect(await restored(team)).toBe(200);
    expect([before, epochOf(team)]).toEqual([epoch, "e2"]);
    expect(early.wire.closed).toMatchObject({ code: 1012 });
    await early.again({ since: head, epoch });
    expect(early.wire.last("snapshot")).toMatchObject({ epoch: "e2", head: 4, reset: true });
    // However far the revs have come since.
    for (const text of ["a", "b", "c", "d", "e"]) await early.post(text);
    await early.again({ since: head, epoch });
    expect(early.wire.last("snapshot").epoch).toBe("e2");
  });

  it("told a second time changes nothing", async () => {
    const { team, rows } = await written();
    turnBack(team, rows);
    await restored(team);
    const olga = await team.enter(OLGA);
    const head = headOf(team);
    await team.town.pass(5_000);
    expect(await restored(team)).toBe(200);
    expect(olga.wire.closed).toBeNull();
    expect(headOf(team)).toEqual(head);
  });

  it("isn't begun while the workspace can't be asked who may come in, and is when it can", async () => {
    const { team, rows } = await written();
    turnBack(team, rows);
    const before = epochOf(team);
    team.town.isCut = true;
    expect(await restored(team)).toBe(503);
    expect(epochOf(team)).toBe(before);
    team.town.isCut = false;
    expect(await restored(team)).toBe(200);
    expect(headOf(team)).toMatchObject({ seq: 4, restored: { epoch: "e2", seq: 4 } });
  });

  it("[RM5] doesn't let in again who was taken out since", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    const olga = await team.enter(OLGA, team.workspace);
    await olga.op("channel.create", { id: "secret", access: "private", name: "secret", members: [mara] });
    await team.town.pass(5_000);
    const token = await team.token(mara, team.channel("secret"));
    const room = team.room("secret");
    const rows = structuredClone(room.storage.rows);
    await olga.op("channel.members", { id: "secret", add: [], remove: [mara] });
    await team.town.pass(5_000);
    room.storage.rows.clear();
    for (const [key, value] of rows) room.storage.rows.set(key, value);
    room.crash();
    await room.call("POST", "restored", { epoch: "e2" });
    const foreign = await team.town.token(mara, team.channel("secret"), ["read", "write"]);
    for (const [which, code] of [
      [token, 4401],
      [foreign, 4403],
    ]) {
      const wire = room.open();
      await wire.say({ t: "hello", v: 1, token: which, device: team.town.newId(), since: null });
      expect(wire.closed).toMatchObject({ code });
    }
  });

  it("[AU12] lets nobody in by a token that was taken back since, and everybody by a new one", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    const directory = await team.enter(OLGA, team.workspace);
    const tokens = [await team.token(mara, team.channel()), await team.token(OLGA, team.channel())];
    await team.town.pass(60_000);
    const rows = copyOf(team);
    await directory.op("member.activate", { user: mara, on: false });
    await team.town.pass(60_000);
    turnBack(team, rows);
    await restored(team);
    for (const token of tokens) {
      const wire = team.room().open();
      await wire.say({ t: "hello", v: 1, token, device: team.town.newId(), since: null });
      expect(wire.closed).toMatchObject({ code: 4401 });
    }
    expect((await team.enter(OLGA)).wire.closed).toBeNull();
  });

  it("tells so though what it stood at before was on its way", async () => {
    const { team, rows } = await written();
    turnBack(team, rows);
    const olga = await team.enter(OLGA);
    await olga.post("between");
    await restored(team);
    expect(headOf(team)).toMatchObject({ seq: 5, restored: { epoch: "e2" } });
  });
});

describe("[SV2] the workspace's room, of a restored channel", () => {
  it("takes its head though the rev is lower, and tells everybody", async () => {
    const { team, rows, directory } = await written();
    expect(headOf(team)).toMatchObject({ seq: 8, rev: 8 });
    directory.wire.clear();
    turnBack(team, rows);
    await restored(team);
    const told = { seq: 4, top: 4, rev: 4, restored: { epoch: "e2", seq: 4 } };
    expect(headOf(team)).toMatchObject(told);
    expect(directory.wire.all("signal").at(-1)).toMatchObject({ kind: "bump", channel: GENERAL, ...told });
    await directory.again();
    expect(directory.wire.last("welcome").heads?.list).toMatchObject({ [GENERAL]: told });
  });

  it("passes over what was told before it, however late, and over a room of version 7 that has less", async () => {
    const { team, rows } = await written();
    const { seq, top, rev, at } = headOf(team);
    turnBack(team, rows);
    await restored(team);
    await restored(team, "e3");
    const before = headOf(team);
    const late = { channel: GENERAL, seq, top, at, posts: [] };
    await team.call("POST", "bump", { ...late, rev: 999, restored: { epoch: "e2", at: 1, seq: 4 } });
    await team.call("POST", "bump", { ...late, rev: 2 });
    await team.call("POST", "bump", { ...late, rev: 999, epoch: "e1" });
    expect(headOf(team)).toEqual(before);
    await team.call("POST", "bump", { ...late, rev });
    expect(headOf(team)).toMatchObject({ seq, restored: before.restored });
  });

  it("sets back what was read beyond its end, in the channel and in threads, and nothing else", async () => {
    const { team, rows, directory, mara } = await written();
    await directory.op("read.set", { channel: GENERAL, seq: 7, base: 0 });
    await directory.op("read.set", { channel: GENERAL, root: "m1", seq: 5, base: 0 });
    await team.call("POST", "members", { user: "tom", name: "tom", role: "member", channels: [] });
    const tom = await team.enter("tom" as typeof OLGA, team.workspace);
    await tom.op("read.set", { channel: GENERAL, seq: 2, base: 0 });
    turnBack(team, rows);
    directory.wire.clear();
    await restored(team);
    await team.town.pass(1_000);
    const seqs = [`${mara}.${GENERAL}`, `${mara}.${GENERAL}.m1`, `tom.${GENERAL}`].map((id) => readOf(team, id)?.seq);
    expect(seqs).toEqual([4, 4, 2]);
    const entities = directory.wire.all("changes").flatMap((frame) => frame.entities);
    expect(entities).toContainEqual(expect.objectContaining({ kind: "read", channel: GENERAL, seq: 4 }));
  });

  it("sets back those of more people than one step stamps", async () => {
    const { team, rows } = await written();
    const { rows: stored } = team.directory.storage;
    for (let i = 0; i < 250; i += 1) {
      const id = `u${i}.${GENERAL}`;
      stored.set(`e:read:${id}`, { kind: "read", id, rev: 1, user: `u${i}`, channel: GENERAL, seq: 8 });
    }
    turnBack(team, rows);
    await restored(team);
    const beyond = [...stored].filter(([key, row]) => key.startsWith("e:read:") && (row as Read).seq > 4);
    expect(beyond).toEqual([]);
  });

  it("[OP17] takes a place of the history that is gone for the end of what was left of it", async () => {
    const { team, rows, olga, directory, mara } = await written();
    const { epoch } = olga.wire.last("welcome");
    turnBack(team, rows);
    await restored(team);
    const again = await team.enter(OLGA);
    for (const text of ["new", "newer"]) await again.post(text);
    await team.town.pass(5_000);
    const read = (): number | undefined => readOf(team, `${mara}.${GENERAL}`)?.seq;
    await directory.op("read.set", { channel: GENERAL, seq: 8, base: 0, epoch });
    expect(read()).toBe(4);
    expect(await directory.op("read.set", { channel: GENERAL, seq: 7, base: 0, epoch })).toMatchObject({ rev: null });
    await directory.op("read.set", { channel: GENERAL, seq: 5, base: 0, epoch: "e2" });
    expect(read()).toBe(5);
    // A page of version 7 doesn't say of which history it speaks.
    await directory.op("read.set", { channel: GENERAL, seq: 8, base: 0 });
    expect(read()).toBe(6);
  });

  it("[SV2] owes the workspace's room what that wasn't told of before, so that nobody who posts then has read it", async () => {
    const { team, mara } = await written();
    const { town } = team;
    const call = town.call.bind(town);
    let isDeaf = true;
    town.call = (ref, method, action, body) =>
      isDeaf && action === "bump" ? Promise.reject(new Error("no answer")) : call(ref, method, action, body);
    await (await team.enter(mara)).post("nobody has read this");
    turnBack(team, copyOf(team));
    expect(await restored(team)).toBe(200);
    await (await team.enter(OLGA)).post("behind it");
    isDeaf = false;
    await town.pass(120_000);
    await team.enter(OLGA, team.workspace);
    await town.pass(5_000);
    // Hers were 3 to 8; what came behind them is Mara's.
    expect(readOf(team, `${OLGA}.${GENERAL}`)?.seq).toBe(8);
  });
});
