// The client as the interface uses it, in front of real rooms: what is written offline, refused, kept and taken back.
import { describe, expect, it } from "vitest";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { OutboxItem, TimelineMessage, TimelineSnapshot } from "../store/snapshots.ts";
import { GENERAL, World, type Device, type Tab } from "../test/sim/world.ts";
import { heldMessages, heldOps, messagesIn } from "../test/sim/verdict.ts";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import type { RoomName } from "#protocol/room-name.ts";

const OLGA = "olga" as UserId;
const MARA = "mara" as UserId;
const GENERAL_ROOM = `channel:w_${GENERAL}` as RoomName;

interface Scene {
  readonly world: World;
  readonly olga: Tab;
  readonly device: Device;
}

async function scene(seed = 1): Promise<Scene> {
  const world = await World.make(seed);
  await world.during(world.team.invite("mara"));
  const device = await world.device(OLGA);
  const olga = await world.during(device.open());
  await world.until("live", () => isLive(olga));
  return { world, olga, device };
}

const isLive = ({ workspace }: Tab): boolean => workspace.connection.snapshot().state === "live";
const items = ({ workspace }: Tab): readonly OutboxItem[] => {
  const outbox = workspace.outbox.snapshot();
  return outbox.state === "ready" ? outbox.value.items : [];
};
const row = ({ workspace }: Tab, name: string) => {
  const channels = workspace.channels.snapshot();
  return channels.state === "ready" ? channels.value.channels.find((channel) => channel.name === name) : undefined;
};
const must = <Value>(result: Result<Value, Failure>): Value => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  return result.value;
};

/** A timeline that is being looked at. */
function watch({ workspace }: Tab, channel: ChannelId = GENERAL) {
  const timeline = workspace.timeline(channel);
  timeline.subscribe(() => undefined);
  const ready = (): Extract<TimelineSnapshot, { state: "ready" }> | null => {
    const snapshot = timeline.snapshot();
    return snapshot.state === "ready" ? snapshot : null;
  };
  return {
    timeline,
    ready,
    rows: (): readonly TimelineMessage[] => ready()?.messages ?? [],
    texts: (): string[] =>
      (ready()?.messages ?? []).filter(({ system }) => system === undefined).map(({ text }) => text),
  };
}

async function drain(world: World, tab: Tab): Promise<void> {
  await world.until("the outbox empty", () => items(tab).length === 0);
}

describe("written without a network", () => {
  it("[OP12] a channel made offline is used at once, and arrives with its messages in order", async () => {
    const { world, olga, device } = await scene();
    device.line.cut();
    const channel = must(
      await world.during(olga.workspace.commands.createChannel({ name: "crane", access: "public" })),
    );
    for (const text of ["one", "two", "three"]) must(await world.during(olga.workspace.commands.post(channel, text)));
    const view = watch(olga, channel);
    await world.until("shown", () => view.texts().length === 3);
    expect(view.rows().map(({ delivery, seq }) => [delivery, seq])).toEqual([
      ["queued", null],
      ["queued", null],
      ["queued", null],
    ]);
    expect(row(olga, "crane")).toMatchObject({ delivery: "queued", isJoined: true });
    expect(items(olga).map(({ waitsFor }) => waitsFor !== undefined)).toEqual([false, true, true, true]);
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    const room = `channel:w_${channel}` as RoomName;
    expect(messagesIn(world, room).flatMap((each) => (each.deleted || each.system ? [] : [each.text]))).toEqual([
      "one",
      "two",
      "three",
    ]);
    await world.until("sent", () => view.rows().every(({ delivery }) => delivery === "sent"));
    expect(row(olga, "crane")).toMatchObject({ delivery: "sent" });
    await world.close();
  });

  it("[OP10] edits and deletions of what never left leave one message, or none", async () => {
    const { world, olga, device } = await scene();
    device.line.cut();
    const { post, edit, remove, react } = olga.workspace.commands;
    const kept = must(await world.during(post(GENERAL, "frist")));
    const gone = must(await world.during(post(GENERAL, "never mind")));
    must(await world.during(edit(GENERAL, kept, "first")));
    must(await world.during(react(GENERAL, gone, "👍", true)));
    must(await world.during(remove(GENERAL, gone)));
    expect(items(olga)).toMatchObject([{ change: { op: "message.post", args: { text: "first" } } }]);
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    const texts = messagesIn(world, GENERAL_ROOM).flatMap((each) => (each.deleted || each.system ? [] : [each.text]));
    expect(texts).toEqual(["first"]);
    await world.close();
  });

  it("survives the tab, and opens again with everything, without a network", async () => {
    const { world, olga, device } = await scene();
    must(await world.during(olga.workspace.commands.post(GENERAL, "delivered")));
    await drain(world, olga);
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "kept")));
    device.crash(olga);
    const again = await world.during(device.open());
    const view = watch(again);
    await world.until("shown", () => view.texts().length === 2);
    expect(
      view
        .rows()
        .map(({ text, delivery }) => [text, delivery])
        .slice(-2),
    ).toEqual([
      ["delivered", "sent"],
      ["kept", "queued"],
    ]);
    expect(view.ready()?.older).toBe("nothing");
    device.line.restore();
    again.rig.happen("online");
    await drain(world, again);
    await world.close();
  });
});

describe("refused", () => {
  it("[OP9] a channel whose name is taken is renamed, and what was written in it goes along", async () => {
    const { world, olga, device } = await scene();
    const mara = await world.during((await world.device(MARA)).open());
    await world.until("live", () => isLive(mara));
    device.line.cut();
    const channel = must(
      await world.during(olga.workspace.commands.createChannel({ name: "crane", access: "public" })),
    );
    must(await world.during(olga.workspace.commands.post(channel, "is it up?")));
    must(await world.during(mara.workspace.commands.createChannel({ name: "crane", access: "public" })));
    await drain(world, mara);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("refused", () => items(olga).some(({ delivery }) => delivery === "refused"));
    expect(items(olga)).toMatchObject([
      { change: { op: "channel.create" }, refusal: { code: "name_taken" } },
      { change: { op: "message.post" }, delivery: "queued", waitsFor: items(olga)[0]?.op },
    ]);
    must(await world.during(olga.workspace.commands.renameChannel(channel, "crane-2")));
    await drain(world, olga);
    const texts = messagesIn(world, `channel:w_${channel}` as RoomName).flatMap((each) =>
      each.deleted || each.system ? [] : [each.text],
    );
    expect(texts).toEqual(["is it up?"]);
    await world.close();
  });

  it("[OP2] [OP9] a post to an archived channel stays with its reason, holds up nothing, and can be moved", async () => {
    const { world, olga, device } = await scene();
    const channel = must(await world.during(olga.workspace.commands.createChannel({ name: "old", access: "public" })));
    await drain(world, olga);
    await world.pass(2_000);
    const mara = await world.device(MARA);
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(channel, "too late")));
    must(await world.during(olga.workspace.commands.post(GENERAL, "in time")));
    const other = await world.during((await world.device(OLGA, "phone")).open());
    await world.until("live", () => isLive(other));
    must(await world.during(other.workspace.commands.archiveChannel(channel, true)));
    await drain(world, other);
    await world.pass(3_000);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("refused", () => items(olga).length === 1 && items(olga)[0]?.delivery === "refused");
    expect(items(olga)[0]).toMatchObject({ refusal: { code: "archived" }, change: { args: { text: "too late" } } });
    const op = items(olga)[0]?.op;
    if (op === undefined) throw new Error("nothing was refused");
    must(await world.during(olga.workspace.commands.moveTo(op, GENERAL)));
    await drain(world, olga);
    const texts = messagesIn(world, GENERAL_ROOM).flatMap((each) => (each.deleted || each.system ? [] : [each.text]));
    expect(texts).toEqual(["in time", "too late"]);
    expect(mara.user).toBe(MARA);
    await world.close();
  });

  it("too long a text is refused before it is stored", async () => {
    const { world, olga } = await scene();
    const posted = await world.during(olga.workspace.commands.post(GENERAL, "x".repeat(8_001)));
    expect(posted).toMatchObject({ ok: false, error: { code: "too_long" } });
    expect(items(olga)).toEqual([]);
    await world.close();
  });

  it("a channel name that is taken here is said at once", async () => {
    const { world, olga } = await scene();
    const made = await world.during(olga.workspace.commands.createChannel({ name: "general", access: "public" }));
    expect(made).toMatchObject({ ok: false, error: { code: "name_taken" } });
    await world.close();
  });
});

describe("access lost", () => {
  it("[RV5] [AU4] the channel leaves the device, and what was written for it stays in the Outbox", async () => {
    const { world, olga } = await scene();
    const device = await world.device(MARA);
    const mara = await world.during(device.open());
    await world.until("live", () => isLive(mara));
    const { createChannel, changeMembers } = olga.workspace.commands;
    const channel = must(await world.during(createChannel({ name: "secret", access: "private", members: [MARA] })));
    await drain(world, olga);
    await world.until("seen", () => row(mara, "secret") !== undefined);
    must(await world.during(mara.workspace.commands.post(channel, "hello")));
    await drain(world, mara);
    device.line.cut();
    must(await world.during(mara.workspace.commands.post(channel, "still there?")));
    must(await world.during(changeMembers(channel, { remove: [MARA] })));
    await drain(world, olga);
    device.line.restore();
    mara.rig.happen("online");
    await world.until("gone", () => row(mara, "secret") === undefined);
    await world.until("kept", () => items(mara).length === 1 && items(mara)[0]?.delivery === "refused");
    expect(items(mara)[0]).toMatchObject({
      refusal: { code: "forbidden" },
      change: { args: { text: "still there?" } },
    });
    expect(await world.during(heldMessages(device, `channel:w_${channel}` as RoomName))).toEqual([]);
    await world.close();
  });
});

describe("two devices of one person", () => {
  it("[OP17] read positions and drafts go along, and an empty draft takes the other's away", async () => {
    const { world, olga } = await scene();
    const phone = await world.during((await world.device(OLGA, "phone")).open());
    const mara = await world.during((await world.device(MARA)).open());
    await world.until("live", () => isLive(phone) && isLive(mara));
    must(await world.during(mara.workspace.commands.post(GENERAL, "@olga look")));
    await world.until("counted", () => row(phone, "general")?.mentionCount === 1);
    expect(row(phone, "general")).toMatchObject({ isUnread: true });
    olga.workspace.commands.markRead(GENERAL, 99);
    await world.until("read there too", () => row(phone, "general")?.isUnread === false);
    expect(row(phone, "general")).toMatchObject({ mentionCount: 0 });

    const draft = phone.workspace.draft(GENERAL);
    draft.subscribe(() => undefined);
    olga.workspace.commands.setDraft(GENERAL, "half a tho");
    olga.workspace.commands.setDraft(GENERAL, "half a thought");
    await world.until("drafted there too", () => JSON.stringify(draft.snapshot()).includes("half a thought"));
    expect(row(phone, "general")).toMatchObject({ hasDraft: true });
    must(await world.during(olga.workspace.commands.post(GENERAL, "a whole thought")));
    await world.until("taken away", () => row(phone, "general")?.hasDraft === false);
    await world.close();
  });

  it("[OP17] of many read positions few leave", async () => {
    const { world, olga } = await scene();
    const before = world.team.directory.storage.writes;
    for (let seq = 1; seq <= 20; seq++) {
      olga.workspace.commands.markRead(GENERAL, seq);
      await world.pass(100);
    }
    await drain(world, olga);
    await world.pass(20_000, 500);
    expect(world.team.directory.storage.writes - before).toBeLessThanOrEqual(4);
    await world.close();
  });
});

describe("history", () => {
  async function full(count: number): Promise<World> {
    const world = await World.make(7);
    const writer = await world.during(world.team.enter(OLGA));
    for (let i = 0; i < count; i++) {
      if (i % 100 === 99) await world.town.pass(6_000);
      await writer.post(`message ${i}`);
    }
    await world.pass(2_000);
    return world;
  }

  it("[SY4] [SY6] the newest are there at once, and the rest comes without being asked for", async () => {
    const world = await full(450);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    const view = watch(olga);
    await world.until("the newest", () => view.texts().at(-1) === "message 449");
    expect(view.rows().length).toBeLessThan(150);
    await world.until("complete", async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length >= 451);
    for (let i = 0; i < 8; i++) {
      view.timeline.loadOlder();
      await world.pass(200);
    }
    expect(view.texts()).toEqual(Array.from({ length: 450 }, (_, i) => `message ${i}`));
    expect(view.ready()).toMatchObject({ older: "nothing", newer: "nothing" });
    await world.close();
  });

  it("[SY4] far behind, what was held stays, is checked, and the hole fills", async () => {
    const world = await full(150);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    await world.until("complete", async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length >= 151);
    device.line.cut();
    const writer = await world.during(world.team.enter(OLGA));
    const first = messagesIn(world, GENERAL_ROOM)[5];
    await writer.op("message.edit", { id: first?.id, text: "edited meanwhile", base: 0 });
    for (let i = 0; i < 5_200; i++) {
      if (i % 20 === 0) await world.town.pass(1_000);
      await writer.post(`later ${i}`);
    }
    device.line.restore();
    olga.rig.happen("online");
    const view = watch(olga);
    await world.until("the newest", () => view.texts().at(-1) === "later 5199");
    const room = messagesIn(world, GENERAL_ROOM);
    await world.until(
      "all of it",
      async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length === room.length,
      600_000,
    );
    const held = await world.during(heldMessages(device, GENERAL_ROOM));
    expect(held.map(({ seq, rev }) => [seq, rev])).toEqual(room.map(({ seq, rev }) => [seq, rev]));
    await world.close();
  }, 60_000);

  it("goes to a message that is held, and back to the newest", async () => {
    const world = await full(300);
    const device = await world.device(OLGA);
    const olga = await world.during(device.open());
    await world.until("complete", async () => (await world.during(heldMessages(device, GENERAL_ROOM))).length >= 301);
    const view = watch(olga);
    await world.until("open", () => view.ready() !== null && view.texts().length > 0);
    const wanted = messagesIn(world, GENERAL_ROOM)[40];
    if (wanted === undefined) throw new Error("no such message");
    expect(await world.during(view.timeline.goTo(wanted.id))).toBe(true);
    expect(view.rows().some(({ id }) => id === wanted.id)).toBe(true);
    expect(view.ready()).toMatchObject({ newer: "more" });
    view.timeline.goToNewest();
    await world.until("newest", () => view.texts().at(-1) === "message 299");
    expect(view.ready()).toMatchObject({ newer: "nothing" });
    await world.close();
  });
});

describe("several tabs", () => {
  it("[OP8] one leads; when it freezes another goes on, and both show all", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    const views = [watch(olga), watch(second)];
    must(await world.during(second.workspace.commands.post(GENERAL, "from the second")));
    await drain(world, second);
    await world.until("shown in both", () => views.every((view) => view.texts().includes("from the second")));
    expect([olga, second].map(({ workspace }) => workspace.status.snapshot().isLeader)).toEqual([true, false]);
    olga.rig.happen("freeze");
    await world.until("the second leads", () => second.workspace.status.snapshot().isLeader);
    must(await world.during(second.workspace.commands.post(GENERAL, "alone now")));
    await drain(world, second);
    olga.rig.happen("resume");
    await world.until("shown in both", () => views.every((view) => view.texts().includes("alone now")));
    await world.close();
  });

  it("[OP8] a leader that hangs is overtaken by a tab somebody looks at", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    await world.pass(1_000);
    // Holds the lock, and answers nothing any more.
    olga.rig.hang();
    second.rig.happen("focus");
    await world.until("the second leads", () => second.workspace.status.snapshot().isLeader);
    must(await world.during(second.workspace.commands.post(GENERAL, "taken over")));
    await drain(world, second);
    expect(await world.during(heldOps(device))).toEqual([]);
    device.crash(olga);
    await world.close();
  });
});
