// What stands behind a hole: it is shown, and what may be missing before it counts neither as here nor as read.
import { describe, expect, it } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import {
  drain,
  GENERAL_ROOM,
  isLive,
  MARA,
  maraOf,
  must,
  row,
  scene,
  watch,
  type Scene,
  type Watched,
} from "../test/sim/scene.ts";
import { heldMessages, messagesIn } from "../test/sim/verdict.ts";
import { GENERAL, type Tab, type World } from "../test/sim/world.ts";

const DAY_MS = 24 * 3_600_000;

type Say = (count: number, what: string) => Promise<void>;

interface Stage extends Scene {
  readonly say: Say;
  /** The last place that Olga has read. */
  readonly seq: number;
}

async function speaker(world: World): Promise<Say> {
  const mara = await world.during(world.team.enter(MARA));
  return async (count, what) => {
    for (let i = 0; i < count; i++) {
      await mara.post(`${what} ${i}`);
      if (i % 10 === 9) await world.town.pass(600);
    }
  };
}

/** Olga has read what Mara wrote. */
async function read(count: number): Promise<Stage> {
  const stage = await scene();
  const { world, olga, device } = stage;
  const say = await speaker(world);
  await say(count, "old");
  await world.until("here", async () => (await heldMessages(device, GENERAL_ROOM)).length >= count);
  const seq = messagesIn(world, GENERAL_ROOM).at(-1)?.seq ?? 0;
  olga.workspace.commands.markRead(GENERAL, seq);
  await drain(world, olga);
  return { ...stage, say, seq };
}

/** She writes without a network and closes the tab, others write, the service worker delivers; opened without a network. */
async function deliveredBehind(
  { world, olga, device }: Scene,
  others: () => Promise<void>,
  at?: ChannelId,
): Promise<Tab> {
  device.line.cut();
  must(await world.during(olga.workspace.commands.post(GENERAL, "mine")));
  await world.during(olga.client.close());
  device.tabs.length = 0;
  await others();
  device.line.restore();
  expect(await world.during(device.deliver())).toBe("done");
  device.line.cut();
  return world.during(device.open(at));
}

/** As the list does after each rendering, standing at its end; how many rows there were each time. */
async function settle(world: World, { timeline, ready, rows }: Watched): Promise<number[]> {
  const counts: number[] = [];
  for (let step = 0; step < 60; step++) {
    const now = ready();
    counts.push(rows().length);
    if (now?.older === "more" && now.messages.length < 40) timeline.loadOlder();
    if (now?.newer === "nothing") timeline.trim();
    await world.pass(25);
    await timeline.settled();
  }
  return counts;
}

describe("my own message, delivered without a tab", () => {
  it.each([
    [10, 50],
    [10, 1_000],
    [200, 1_000],
  ])("is shown with what is held: %i messages, and %i missed", async (before, missed) => {
    const stage = await read(before);
    const again = await deliveredBehind(stage, () => stage.say(missed, "missed"));
    const view = watch(again);
    await stage.world.until("shown", () => view.texts().includes("mine"));
    const counts = await settle(stage.world, view);
    expect(counts.at(-1)).toBeGreaterThan(10);
    expect(new Set(counts.slice(-20)).size).toBe(1);
    await stage.world.close();
  });

  it("marked unread, it leaves unread what others wrote before it", async () => {
    const stage = await read(3);
    const { world, device, seq } = stage;
    const again = await deliveredBehind(stage, () => stage.say(3, "missed"));
    const view = watch(again);
    await world.until("shown", () => view.texts().includes("mine"));
    again.workspace.commands.markUnread(GENERAL, view.rows().at(-1)?.seq ?? 0);
    device.line.restore();
    await world.until("caught up", () => view.texts().length === 7);
    await drain(world, again);
    expect(row(again, "general")?.isUnread).toBe(true);
    expect(view.ready()).toMatchObject({ newSince: seq });
    await world.close();
  });

  it("leaves the channel not ready while what lies before it is missing", async () => {
    const stage = await read(3);
    const again = await deliveredBehind(stage, () => stage.say(3, "missed"));
    const readiness = again.workspace.readiness;
    readiness.subscribe(() => undefined);
    await stage.world.until("counted", () => readiness.snapshot().state === "ready");
    expect(readiness.snapshot()).toMatchObject({ value: { readyCount: 0, toCome: 4 } });
    await stage.world.close();
  });

  it.each([0, 1_200])("takes no place among the hundred that stay: %i missed", async (missed) => {
    const stage = await read(200);
    const { world, olga, device } = stage;
    const { createChannel, keep } = olga.workspace.commands;
    const other = must(await world.during(createChannel({ name: "other", access: "public" })));
    must(await world.during(keep({ do: "limit", to: { days: 7 } })));
    await drain(world, olga);
    await deliveredBehind(
      stage,
      async () => {
        await world.town.pass(8 * DAY_MS);
        await (
          await speaker(world)
        )(missed, "missed");
      },
      other,
    );
    await world.pass(600_000, 5_000);
    expect((await heldMessages(device, GENERAL_ROOM)).length).toBeGreaterThanOrEqual(100);
    await world.close();
  });
});

it("a message that comes on a later page, for it was changed since, is not read before it is here", async () => {
  const { world, olga, device, seq } = await read(1);
  const mara = await maraOf(world);
  device.line.cut();
  const { post, react } = mara.workspace.commands;
  const changed = must(await world.during(post(GENERAL, "changed since")));
  for (let i = 0; i < 60; i++) must(await world.during(post(GENERAL, `${i} ${"x".repeat(700)}`)));
  must(await world.during(react(GENERAL, changed, "👍", true)));
  await drain(world, mara);
  const view = watch(olga);
  const isPart = () => view.texts().length > 3 && !view.texts().includes("changed since");
  const stop = view.timeline.subscribe(() => {
    if (isPart()) device.line.cut();
  });
  device.line.restore();
  await world.until("a part is here", isPart);
  stop();
  expect(view.ready()).toMatchObject({ heardTo: seq });
  olga.workspace.commands.markRead(GENERAL, view.ready()?.heardTo ?? 0);
  device.line.restore();
  await world.until("all is here", () => view.texts().includes("changed since"));
  await world.until("live", () => isLive(olga));
  await drain(world, olga);
  expect(view.ready()).toMatchObject({ heardTo: seq + 61 });
  expect(row(olga, "general")?.isUnread).toBe(true);
  await world.close();
});
