// What is marked unread, and read again only in part.
import { expect, it } from "vitest";
import { drain, GENERAL_ROOM, MARA, row, scene, watch } from "../test/sim/scene.ts";
import { heldMessages, messagesIn } from "../test/sim/verdict.ts";
import { GENERAL } from "../test/sim/world.ts";

it.each([
  ["with a network", true],
  ["without one", false],
])("[OP17] marked unread %s, and read again in part: the rest stays unread", async (_, isOnline) => {
  const { world, olga, device } = await scene();
  const mara = await world.during(world.team.enter(MARA));
  for (let i = 0; i < 10; i++) await mara.post(`m ${i}`);
  await world.until("here", async () => (await heldMessages(device, GENERAL_ROOM)).length >= 10);
  const seq = messagesIn(world, GENERAL_ROOM).at(-1)?.seq ?? 0;
  const { markRead, markUnread } = olga.workspace.commands;
  const isUnread = (): boolean => row(olga, "general")?.isUnread === true;
  markRead(GENERAL, seq);
  await drain(world, olga);
  await world.until("read", () => !isUnread());
  if (!isOnline) device.line.cut();
  markUnread(GENERAL, seq - 6);
  await world.until("unread", isUnread);
  await world.pass(2_000);
  // Another tab says late what it saw before.
  markRead(GENERAL, seq - 8);
  await world.pass(500);
  markRead(GENERAL, seq - 4);
  await world.pass(2_000);
  device.line.restore();
  olga.rig.happen("online");
  await drain(world, olga);
  await world.pass(30_000);
  expect(isUnread()).toBe(true);
  const view = watch(olga);
  await world.until("shown", () => view.ready() !== null);
  expect(view.ready()).toMatchObject({ readAtOpening: seq - 4 });
  markRead(GENERAL, seq);
  await drain(world, olga);
  await world.until("read", () => !isUnread());
  await world.close();
});
