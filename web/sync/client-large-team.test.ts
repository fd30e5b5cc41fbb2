// A first visit to a team whose directory takes several pages: who joined last is among the last of it.
import { expect, it } from "vitest";
import { isLive, MARA, row } from "../test/sim/scene.ts";
import { GENERAL, World } from "../test/sim/world.ts";

/** More than a page of the directory has room for. */
const PEOPLE = 250;

it("nobody is called a stranger to a channel while the page is still to come that says they are in it", async () => {
  const world = await World.make(1);
  for (let each = 0; each < PEOPLE; each += 1) await world.team.invite(`u${each}`);
  await world.team.invite(MARA);
  const device = await world.device(MARA);
  device.line.slowDown(1_000);
  const mara = await world.during(device.open());
  const { workspace } = mara;
  const channel = workspace.channel(GENERAL);
  const said = new Set<string>();
  channel.subscribe(() => undefined);
  const note = (): void => {
    const [list, here] = [workspace.channels.snapshot(), channel.snapshot()];
    if (list.state !== "ready" || here.state !== "ready") return;
    said.add(
      `${row(mara, "general")?.isJoined ? "in it" : list.value.isWhole ? "not in it" : "not known"}, ${here.closed}`,
    );
  };
  workspace.channels.subscribe(note);
  await world.until("live", () => isLive(mara));
  note();
  expect([...said]).toEqual(["not known, null", "in it, null"]);
  await world.close();
});
