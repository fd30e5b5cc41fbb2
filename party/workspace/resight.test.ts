import { describe, expect, it } from "vitest";
import { CHANGES_PAGE_MAX, PAGE_MIN_BYTES } from "#protocol/limits.ts";
import type { Changes } from "#protocol/frames/changes.ts";
import { OLGA, Team } from "../test/people.ts";
import { Replica } from "../test/replica.ts";

const SMALL = { bytes: PAGE_MIN_BYTES };

/** A workspace of several pages in which a guest became a member. */
async function withPromoted(): Promise<Team> {
  const team = await Team.make();
  await team.invite("gus", "guest", ["general"]);
  for (let index = 0; index < CHANGES_PAGE_MAX + 40; index += 1) await team.invite(`u${index}`);
  const olga = await team.enter(OLGA, team.workspace);
  await olga.op("member.role", { user: "gus", role: "member" });
  for (let index = 0; index < CHANGES_PAGE_MAX; index += 1) await team.invite(`v${index}`);
  await team.town.pass(5_000);
  return team;
}

describe("[RV5] whoever's sight changed as a whole", () => {
  it("starts anew once, though it takes several pages that end before the change", async () => {
    const team = await withPromoted();
    const gus = await team.enter("gus" as typeof OLGA, team.workspace);
    const replica = new Replica();
    for (const frame of gus.wire.frames) replica.take(frame);
    for (let pages = 1; replica.pullFrom !== null; pages += 1) {
      expect(pages).toBeLessThan(10);
      await gus.wire.say({ t: "pull", since: replica.pullFrom });
      replica.take(gus.wire.last("changes"));
    }
    expect(gus.wire.all("changes").filter(({ reset }) => reset)).toHaveLength(1);
    expect(replica.contents.filter(({ kind }) => kind === "member")).toHaveLength(2 + 2 * CHANGES_PAGE_MAX + 40);
  });

  it("reaches the end over HTTP as well", async () => {
    const team = await withPromoted();
    const token = await team.token("gus" as typeof OLGA, team.workspace);
    const replica = new Replica();
    let since = 0;
    for (let pages = 1, more = true; more; pages += 1) {
      expect(pages).toBeLessThan(10);
      const page = (await team.directory.http("GET", `changes?since=${since}`, token)) as Changes;
      replica.take(page);
      ({ to: since, more } = page);
    }
    expect(replica.contents.filter(({ kind }) => kind === "member")).toHaveLength(2 + 2 * CHANGES_PAGE_MAX + 40);
  });

  it("[SY4] goes on with what it began anew, a page on each connection, though these end before the change", async () => {
    const team = await withPromoted();
    const gus = await team.enter("gus" as typeof OLGA, team.workspace, SMALL);
    const replica = new Replica();
    for (const frame of gus.wire.frames) replica.take(frame);
    for (let pages = 1; replica.pullFrom !== null; pages += 1) {
      expect(pages).toBeLessThan(50);
      const since = replica.cursor;
      await gus.again({ since, epoch: replica.epoch, ...SMALL });
      const [page] = gus.wire.all("changes");
      expect(page).toMatchObject({ from: since });
      expect(page).not.toHaveProperty("reset");
      for (const frame of gus.wire.frames) replica.take(frame);
    }
    expect(replica.contents.filter(({ kind }) => kind === "member")).toHaveLength(2 + 2 * CHANGES_PAGE_MAX + 40);
  });

  it("[SY4] begins once more where it changed again in between, either way", async () => {
    const team = await withPromoted();
    const olga = await team.enter(OLGA, team.workspace);
    const gus = await team.enter("gus" as typeof OLGA, team.workspace, SMALL);
    const epochs = [gus.wire.last("welcome").epoch];
    for (const role of ["guest", "member"]) {
      const [page] = gus.wire.all("changes");
      await olga.op("member.role", { user: "gus", role });
      // A token of the second of a change is denied.
      await team.town.pass(2_000);
      await gus.again({ since: page?.to, epoch: epochs.at(-1), ...SMALL });
      expect(gus.wire.all("changes")[0]).toMatchObject({ from: 0, reset: true });
      epochs.push(gus.wire.last("welcome").epoch);
    }
    expect(new Set(epochs).size).toBe(3);
  });

  it("goes on over HTTP as well, told by which epoch, and begins no second time", async () => {
    const team = await withPromoted();
    const gus = await team.enter("gus" as typeof OLGA, team.workspace, SMALL);
    const [page] = gus.wire.all("changes");
    const token = await team.token("gus" as typeof OLGA, team.workspace);
    const { epoch } = gus.wire.last("welcome");
    const next = await team.directory.http("GET", `changes?since=${page?.to}&epoch=${epoch}`, token);
    expect(next).toMatchObject({ from: page?.to });
    expect(next).not.toHaveProperty("reset");
  });
});
