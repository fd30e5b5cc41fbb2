import { describe, expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import { CHANGES_PAGE_MAX, FAR_BEHIND_REVS, PAGE_MAX_BYTES } from "#protocol/limits.ts";
import { OLGA, Team, type Person } from "../test/people.ts";
import { MemoryStorage } from "../test/memory-storage.ts";
import { Replica } from "../test/replica.ts";
import { changesAfter } from "./catch-up.ts";
import { entityRow, keyOf } from "./keys.ts";
import { append, type Stem } from "./log.ts";

/** A log of messages, one a step; `touched` says which message each step changes. */
function logOf(touched: readonly (readonly number[])[], text = "x"): { storage: MemoryStorage; stem: Stem<null> } {
  const storage = new MemoryStorage();
  let stem: Stem<null> = { room: "w_c", epoch: "e", head: 0, tail: [], own: null };
  for (const ids of touched) {
    const entities = ids.map((id) => message(id, stem.head + 1, text));
    const appended = append(
      stem,
      entities.map((entity) => keyOf(entity)),
    );
    stem = appended.stem;
    for (const entity of entities) storage.rows.set(entityRow(keyOf(entity)), entity);
    for (const [key, row] of Object.entries(appended.rows)) storage.rows.set(key, row);
  }
  return { storage, stem };
}

function message(id: number, rev: number, text: string): Entity {
  return { kind: "message", id: `m${id}`, rev, seq: id, author: "u", createdAt: 0, text } as Entity;
}

const all = (entity: Entity): Entity[] => [entity];

async function pages(
  log: ReturnType<typeof logOf>,
  since: number,
): Promise<{ to: number; entities: readonly Entity[] }[]> {
  const found = [];
  for (let from = since, more = true; more;) {
    const page = await changesAfter(log.storage, log.stem, from, all);
    expect(page.from).toBe(from);
    expect(page.to).toBeGreaterThan(from - 1);
    found.push(page);
    ({ to: from, more } = page);
  }
  return found;
}

describe("a page of changes", () => {
  it("[RV2] holds each entity once, in its latest state, however often it changed", async () => {
    const log = logOf(Array.from({ length: 300 }, (_, index) => [index % 3]));
    const page = await changesAfter(log.storage, log.stem, 0, all);
    expect(page).toMatchObject({ from: 0, to: 300, more: false });
    expect(page.entities.map(({ rev }) => rev)).toEqual([298, 299, 300]);
  });

  it("[SY2] has at most 200 entities and goes on where it ended", async () => {
    const log = logOf(Array.from({ length: 450 }, (_, index) => [index]));
    const found = await pages(log, 0);
    expect(found.map(({ entities }) => entities.length)).toEqual([CHANGES_PAGE_MAX, CHANGES_PAGE_MAX, 50]);
    expect(found.flatMap(({ entities }) => entities.map(({ id }) => id))).toHaveLength(450);
  });

  it("[SY2] has at most 256 KiB", async () => {
    const log = logOf(
      Array.from({ length: 60 }, (_, index) => [index]),
      "y".repeat(8_000),
    );
    const found = await pages(log, 0);
    expect(found.length).toBeGreaterThan(1);
    for (const { entities } of found) expect(JSON.stringify(entities).length).toBeLessThan(PAGE_MAX_BYTES + 10_000);
  });

  it("[SY2] has at most what a slow line bears, and one rev whatever that is", async () => {
    const log = logOf([[1, 2, 3], [4], [5], [6]], "y".repeat(1_000));
    const page = await changesAfter(log.storage, log.stem, 0, all, { maxBytes: 2_000 });
    expect(page).toMatchObject({ from: 0, to: 1, more: true });
    expect(page.entities).toHaveLength(3);
    expect(await changesAfter(log.storage, log.stem, 1, all, { maxBytes: 3_000 })).toMatchObject({ to: 3, more: true });
  });

  it("[SY2] never splits a rev, and holds at least one whatever the limit", async () => {
    const log = logOf([[1, 2, 3], [4, 5, 6], [7]]);
    const page = await changesAfter(log.storage, log.stem, 0, all, { limit: 1 });
    expect(page).toMatchObject({ from: 0, to: 1, more: true });
    expect(page.entities).toHaveLength(3);
    const second = await changesAfter(log.storage, log.stem, 1, all, { limit: 0 });
    expect(second).toMatchObject({ from: 1, to: 2, more: true });
  });

  it("covers revs of which the reader sees nothing, a bounded number at a time", async () => {
    const log = logOf(Array.from({ length: 10_000 }, (_, index) => [index]));
    const page = await changesAfter(log.storage, log.stem, 0, () => []);
    expect(page.entities).toEqual([]);
    expect(page.more).toBe(true);
    expect(page.to).toBeLessThan(5_000);
  });

  it.each([0, 1, 63, 64, 65, 128, 200, 299, 300])("finds the same from %i as from the start", async (since) => {
    const log = logOf(Array.from({ length: 300 }, (_, index) => [(index * 7) % 200, (index * 13) % 200]));
    const whole = (await pages(log, 0)).flatMap(({ entities }) => entities);
    const rest = (await pages(log, since)).flatMap(({ entities }) => entities);
    expect(rest).toEqual(whole.filter(({ rev }) => rev > since));
  });

  it("keeps index pages below what a value may have, however many keys an op has", () => {
    const { storage } = logOf(
      Array.from({ length: 100 }, (_, step) => Array.from({ length: 100 }, (_, id) => step * 100 + id)),
    );
    for (const [key, row] of storage.rows) {
      if (key.startsWith("p:")) expect(JSON.stringify(row).length).toBeLessThan(64 * 1_024);
    }
  });
});

describe("hello", () => {
  it("[SY4] without a cursor, with another epoch, from the future or far behind gets the newest page", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.post("One");
    const { epoch, head } = olga.wire.last("welcome");
    const cases: [Record<string, unknown>, string, boolean | undefined][] = [
      [{ since: null }, "snapshot", false],
      [{ since: head, epoch: "another" }, "snapshot", true],
      [{ since: 1_000_000, epoch }, "snapshot", true],
      [{ since: head, epoch }, "changes", undefined],
      [{ since: head }, "changes", undefined],
    ];
    for (const [hello, t, reset] of cases) {
      await olga.again(hello);
      const first = olga.wire.frames.filter((frame) => frame.t === "snapshot" || frame.t === "changes");
      expect(first, JSON.stringify(hello)).toMatchObject([{ t, ...(reset === undefined ? {} : { reset }) }]);
    }
  });

  it("[SY4] more than 5,000 revs behind gets a snapshot, less gets changes", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    const { epoch } = olga.wire.last("welcome");
    await reactOften(olga, FAR_BEHIND_REVS + 1);
    const { rev: head } = olga.wire.last("ack");
    await olga.again({ since: (head ?? 0) - FAR_BEHIND_REVS, epoch });
    expect(olga.wire.all("snapshot")).toHaveLength(0);
    await olga.again({ since: (head ?? 0) - FAR_BEHIND_REVS - 1, epoch });
    expect(olga.wire.last("snapshot")).toMatchObject({ reset: true, head });
  });

  it("echoes q in the welcome and what follows", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.channel(), { q: 7 });
    expect(olga.wire.last("welcome").q).toBe(7);
    expect(olga.wire.last("snapshot").q).toBe(7);
    await olga.wire.say({ t: "pull", q: 8, since: 0 });
    expect(olga.wire.last("changes").q).toBe(8);
  });
});

async function reactOften(person: Person, times: number): Promise<void> {
  await person.op("message.post", { id: "m1", text: "One" });
  for (let index = 0; index < times; index += 1) {
    person.team.town.now += 100;
    await person.op("message.react", { id: "m1", emoji: "👍", on: index % 2 === 0 });
  }
}

describe("pull", () => {
  it("[SY1] beyond head says to start anew", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    await olga.post("One");
    const head = olga.wire.last("ack").rev;
    await olga.wire.say({ t: "pull", since: 999 });
    expect(olga.wire.last("changes")).toMatchObject({ from: head, to: head, entities: [], reset: true });
  });

  it("[SY4] in a workspace starts from 0 in pages, reset on the first, without tombstones", async () => {
    const team = await Team.make();
    const mara = await team.invite("mara");
    const olga = await team.enter(OLGA, team.workspace);
    await olga.op("channel.members", { id: "general", remove: [mara] });
    await olga.again();
    const [first] = olga.wire.all("changes");
    expect(first).toMatchObject({ from: 0, more: false, reset: true });
    expect(first?.entities.some((entity) => "deleted" in entity && entity.deleted)).toBe(false);
    await olga.again({ since: 1, epoch: olga.wire.last("welcome").epoch });
    expect(olga.wire.last("changes").entities.some((entity) => "deleted" in entity && entity.deleted)).toBe(true);
  });
});

describe("[SY4] a line cut after each page of a directory", () => {
  it("gets one page further each time, however far behind, and to the end of what is there by then", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA, team.workspace);
    for (let index = 0; index < 100; index += 1) await team.invite(`u${index}`);
    await starOften(olga, FAR_BEHIND_REVS + 100);
    const fresh = await team.enter(OLGA, team.workspace, { since: null, bytes: 4_096 });
    const replica = new Replica();
    for (const frame of fresh.wire.frames) replica.take(frame);
    // Told in the first page, and gone before the next.
    await olga.op("channel.members", { id: "general", remove: ["u0"] });
    for (let pages = 1; replica.pullFrom !== null; pages += 1) {
      expect(pages).toBeLessThan(20);
      const since = replica.cursor;
      await fresh.again({ since, epoch: replica.epoch, bytes: 4_096 });
      const [page] = fresh.wire.all("changes");
      expect(page).toMatchObject({ from: since });
      expect(page).not.toHaveProperty("reset");
      for (const frame of fresh.wire.frames) replica.take(frame);
    }
    expect(replica.cursor).toBe(fresh.wire.last("welcome").head);
    expect(replica.contents.filter(({ kind }) => kind === "member")).toHaveLength(101);
    expect(replica.entities.get("membership:general.u0")).toMatchObject({ deleted: true });
  });
});

async function starOften(person: Person, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    person.team.town.now += 100;
    await person.op("channel.prefs", { channel: "general", starred: index % 2 === 0 });
  }
}

describe("[SY1] a page", () => {
  it("holds only what last changed within it, once: an entity that changed again comes with its later rev", async () => {
    const { storage, stem } = logOf([[1], [2], [1], [3], [2], [1]]);
    const found: [id: string, rev: number, from: number, to: number][] = [];
    for (let since = 0, more = true; more;) {
      const page = await changesAfter(storage, stem, since, (entity) => [entity], { limit: 1 });
      for (const { id, rev } of page.entities) found.push([id, rev, page.from, page.to]);
      ({ to: since, more } = page);
    }
    expect(found.map(([, rev]) => rev)).toEqual([4, 5, 6]);
    for (const [, rev, from, to] of found) expect(rev > from && rev <= to).toBe(true);
  });
});
