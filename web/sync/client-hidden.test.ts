// A page that nobody sees goes on following its channel.
import { expect, it } from "vitest";
import { isLive, MARA, must, scene, watch } from "../test/sim/scene.ts";
import { GENERAL } from "../test/sim/world.ts";

it("what came while the page was hidden is \"New\", each time from where one had read to; what came before one's eyes isn't", async () => {
  const { world, olga } = await scene();
  const mara = await world.during((await world.device(MARA)).open());
  await world.until("live", () => isLive(mara));
  const { rows, ready, texts } = watch(olga);
  const comes = async (text: string): Promise<void> => {
    must(await world.during(mara.workspace.commands.post(GENERAL, text)));
    await world.until("come", () => texts().at(-1) === text);
  };
  const reads = async (): Promise<number> => {
    const seq = rows().at(-1)?.seq ?? 0;
    olga.workspace.commands.markRead(GENERAL, seq);
    await world.pass(2_000);
    return seq;
  };
  const newFrom = (): number | null | undefined => ready()?.readAtOpening;
  await comes("before one's eyes");
  await reads();
  const opened = newFrom();
  await comes("and this");
  expect(newFrom()).toBe(opened);
  for (const time of ["once", "again"]) {
    const read = await reads();
    olga.rig.setVisible(false);
    await comes(`hidden ${time}`);
    await comes(`hidden ${time} too`);
    olga.rig.setVisible(true);
    expect(newFrom()).toBe(read);
  }
  await world.close();
});
