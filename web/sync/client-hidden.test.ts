// A page that nobody sees goes on following its channel.
import { expect, it } from "vitest";
import { isLive, maraOf, must, scene, watch } from "../test/sim/scene.ts";
import { GENERAL } from "../test/sim/world.ts";

/** Olga looks at the channel in which Mara, on a device of her own, writes. */
async function looking() {
  const made = await scene();
  const { world, olga } = made;
  const mara = await maraOf(world);
  const { rows, ready, texts } = watch(olga);
  const writes = async (text: string): Promise<void> => {
    must(await world.during(mara.workspace.commands.post(GENERAL, text)));
  };
  const comes = async (text: string): Promise<void> => {
    await writes(text);
    await world.until("come", () => texts().at(-1) === text);
  };
  const reads = async (): Promise<number> => {
    const seq = rows().at(-1)?.seq ?? 0;
    olga.workspace.commands.markRead(GENERAL, seq);
    await world.pass(2_000);
    return seq;
  };
  const newFrom = (): number | null | undefined => ready()?.newSince;
  return { ...made, texts, writes, comes, reads, newFrom };
}

it("what came while the page was hidden is \"New\", each time from where one had read to; what came before one's eyes isn't", async () => {
  const { world, olga, comes, reads, newFrom } = await looking();
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

it('what came while one was without a line is "New", each time from where one had read to, however many pages it takes', async () => {
  const { world, olga, device, texts, writes, comes, reads, newFrom } = await looking();
  for (const time of ["once", "again"]) {
    await comes(`before one's eyes ${time}`);
    const read = await reads();
    device.line.cut();
    await world.until("apart", () => !isLive(olga));
    for (let at = 0; at < 250; at += 1) await writes(`missed ${at}`);
    await world.pass(1_000);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("back", () => isLive(olga) && texts().at(-1) === "missed 249");
    expect(newFrom()).toBe(read);
    await reads();
    await comes(`live again ${time}`);
    expect(newFrom()).toBe(read);
  }
  await world.close();
});
