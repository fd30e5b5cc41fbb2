// Lines that bear less than they show: so slow that what is sent takes longer than an answer has, mute, or hanging.
import { expect, it } from "vitest";
import { PING } from "#protocol/frame.ts";
import { HELLO_WITHIN_MS, TEXT_MAX_CHARS } from "#protocol/limits.ts";
import { drain, GENERAL_ROOM, isLive, items, maraOf, must, scene, textsIn } from "../test/sim/scene.ts";
import { heldOps } from "../test/sim/verdict.ts";
import { GENERAL } from "../test/sim/world.ts";
import { TIMING } from "./timing.ts";

/** Longer than a change waits to be told, shorter than anybody sees. */
const SLOW_ANSWER_MS = 200;
/** How often is looked. */
const TICK_MS = 50;

it.each([4.5, 8, 12])(
  "a text as long as may be goes on a line of %d kbit/s, once, though the line is taken for dead at first",
  async (kbps) => {
    const { world, olga, device } = await scene();
    device.line.slowUp(kbps / 8);
    const text = "船".repeat(TEXT_MAX_CHARS);
    must(await world.during(olga.workspace.commands.post(GENERAL, text)));
    must(await world.during(olga.workspace.commands.post(GENERAL, "and one behind it")));
    await world.pass(100_000, 500);
    expect(items(olga)).toEqual([]);
    expect(textsIn(world, GENERAL_ROOM)).toEqual([text, "and one behind it"]);
    await world.close();
  },
);

/** Nothing gets up any more, where somebody else is live as well. */
async function deafBeside() {
  const all = await scene();
  const { world, device } = all;
  const mara = await maraOf(world);
  device.line.mute();
  return { ...all, mara };
}

/** Somebody else says something each second until a line is told for dead; what they said, and for how long. */
async function talkUntilNoticed({ world, olga, mara }: Awaited<ReturnType<typeof deafBeside>>) {
  const began = world.town.now;
  const said: string[] = [];
  while (isLive(olga) && said.length < 40) {
    said.push(`meanwhile ${said.length}`);
    must(await world.during(mara.workspace.commands.post(GENERAL, said.at(-1) ?? "")));
    await world.pass(1_000);
  }
  expect(isLive(olga)).toBe(false);
  return { said, tookMs: world.town.now - began };
}

it("a line on which nothing gets up is told for dead within ten seconds, though what others say keeps coming down", async () => {
  const all = await deafBeside();
  const { world, olga, device } = all;
  must(await world.during(olga.workspace.commands.post(GENERAL, "into the void")));
  const { said, tookMs } = await talkUntilNoticed(all);
  // Not at once: what others say may have held an answer up.
  expect(tookMs).toBeGreaterThan(TIMING.heartbeatAnswerMs);
  expect(tookMs).toBeLessThan(10_500);
  device.line.restore();
  await drain(world, olga);
  expect(textsIn(world, GENERAL_ROOM)).toEqual([...said, "into the void"]);
  await world.close();
});

it("so it is where nothing is sent, and somebody only comes back to look", async () => {
  const all = await deafBeside();
  const { world, olga } = all;
  olga.rig.happen("focus");
  const { tookMs } = await talkUntilNoticed(all);
  expect(tookMs).toBeGreaterThan(TIMING.heartbeatAnswerMs);
  expect(tookMs).toBeLessThan(10_500);
  await world.close();
});

it("one that hangs is noticed within the ten seconds after the next send, though its channel alone was asked", async () => {
  const { world, olga, device } = await scene();
  await world.pass(20_000);
  device.line.hang();
  must(await world.during(olga.workspace.commands.post(GENERAL, "into the void")));
  await world.until("noticed", () => !isLive(olga), TIMING.heartbeatAnswerMs + TICK_MS);
  await world.close();
});

it.each([3_000, 9_000, 20_000])(
  "one that hangs is called so, and never catching up, though the workspace's room was heard %d ms after a channel's, and somebody comes back to look",
  async (laterMs) => {
    const { world, olga, device } = await scene();
    const said = new Set(["live"]);
    await world.pass(laterMs);
    must(await world.during(olga.workspace.commands.setDraft(GENERAL, "heard by the workspace alone")));
    await world.until("answered", async () => (await heldOps(device)).length === 0);
    device.line.hang();
    const { connection } = olga.workspace;
    connection.subscribe(() => said.add(connection.snapshot().state));
    await world.until("noticed", () => !isLive(olga));
    olga.rig.happen("focus");
    await world.pass(60_000, 200);
    expect([...said]).toEqual(["live", "reconnecting", "offline"]);
    await world.close();
  },
);

it("a channel's room that can't be had is caught up with, again and again, and isn't called a line that broke", async () => {
  const { world, olga, device } = await scene();
  const { connection } = olga.workspace;
  const said = new Set(["live"]);
  connection.subscribe(() => said.add(connection.snapshot().state));
  device.line.slowUp(PING.length / SLOW_ANSWER_MS);
  const { wires } = world.town.at(GENERAL_ROOM);
  for (let times = 0; times < 40; times += 1) {
    for (const wire of wires) wire.close(1012, "");
    await world.pass(500);
  }
  expect([...said]).toEqual(["live", "catching-up"]);
  await world.close();
});

it("one that takes longer than the first greeting has is greeted at a later try, by the directory and a channel", async () => {
  const { world, olga, device } = await scene();
  device.line.cut();
  await world.until("noticed", () => !isLive(olga));
  device.line.slowDown(HELLO_WITHIN_MS + 2_000);
  device.line.restore();
  olga.rig.happen("online");
  const isGreeted = (): boolean =>
    ["workspace:w", GENERAL_ROOM].every((room) =>
      olga.workspace.status
        .snapshot()
        .rooms.some(({ name, link }) => name === room && (link === "live" || link === "catching-up")),
    );
  await world.until("greeted", isGreeted, 60_000);
  await world.close();
});
