import { describe, expect, it } from "vitest";
import { CHANGES_PAGE_MAX } from "#protocol/limits.ts";
import type { Changes } from "#protocol/frames/changes.ts";
import { OLGA, Team } from "../test/people.ts";
import { Replica } from "../test/replica.ts";

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
});
