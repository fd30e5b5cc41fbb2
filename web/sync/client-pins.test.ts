// The list of pins says of each whether anybody else knows of it.
import { expect, it } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { drain, must, scene } from "../test/sim/scene.ts";
import { GENERAL } from "../test/sim/world.ts";

it("a pin or its taking back that waits is marked, and stays in its place until it is delivered", async () => {
  const { world, olga, device } = await scene();
  const { post, pin } = olga.workspace.commands;
  const ids: MessageId[] = [];
  for (const text of ["one", "two", "three"]) ids.push(must(await world.during(post(GENERAL, text))));
  const [one, two, three] = ids as [MessageId, MessageId, MessageId];
  for (const id of [one, two]) must(await world.during(pin(GENERAL, id, true)));
  await drain(world, olga);
  const pins = olga.workspace.pins(GENERAL);
  pins.subscribe(() => undefined);
  const shown = () => {
    const now = pins.snapshot();
    if (now.state !== "ready") return null;
    const { messages, waiting } = now.value;
    return messages.map(({ id, text, pinned }) => [text, pinned !== undefined, waiting.has(id)]);
  };
  const both = [
    ["two", true, false],
    ["one", true, false],
  ];
  await world.until("both", () => JSON.stringify(shown()) === JSON.stringify(both));
  device.line.cut();
  must(await world.during(pin(GENERAL, two, false)));
  must(await world.during(pin(GENERAL, three, true)));
  await world.until("three of them", () => shown()?.length === 3);
  expect(shown()).toEqual([
    ["three", true, true],
    ["two", false, true],
    ["one", true, false],
  ]);
  device.line.restore();
  olga.rig.happen("online");
  await drain(world, olga);
  const delivered = [
    ["three", true, false],
    ["one", true, false],
  ];
  await world.until("delivered", () => JSON.stringify(shown()) === JSON.stringify(delivered));
  await world.close();
});
