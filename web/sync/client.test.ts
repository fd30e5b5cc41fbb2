// The client as the interface uses it, in front of real rooms: what is written offline, refused, kept and taken back.
import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { GENERAL } from "../test/sim/world.ts";
import { heldMessages, messagesIn } from "../test/sim/verdict.ts";
import { drain, GENERAL_ROOM, isLive, items, MARA, must, OLGA, row, scene, textsIn, watch } from "../test/sim/scene.ts";

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
    expect(textsIn(world, room)).toEqual(["one", "two", "three"]);
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
    const texts = textsIn(world, GENERAL_ROOM);
    expect(texts).toEqual(["first"]);
    await world.close();
  });

  it("[OP10] becomes a draft again in one step: all of it, or nothing where it went meanwhile", async () => {
    const { world, olga, device } = await scene();
    const { post, discard, setDraft } = olga.workspace.commands;
    const draft = olga.workspace.draft(GENERAL);
    draft.subscribe(() => undefined);
    device.line.cut();
    must(await world.during(post(GENERAL, "@mara taken back")));
    must(await world.during(setDraft(GENERAL, "begun since")));
    const [waiting] = items(olga);
    must(await world.during(discard(waiting!.op, "draft")));
    await world.until("a draft", () => items(olga).length === 0);
    expect(draft.snapshot()).toEqual({ state: "ready", value: "@mara taken back\nbegun since" });

    must(await world.during(setDraft(GENERAL, "")));
    must(await world.during(post(GENERAL, "gone meanwhile")));
    await world.until("queued", () => items(olga).length === 1);
    const op = items(olga)[0]!.op;
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    expect(await world.during(discard(op, "draft"))).toMatchObject({ ok: false });
    expect(draft.snapshot()).toEqual({ state: "ready", value: "" });
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["gone meanwhile"]);
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

describe("sent in quick succession", () => {
  it("a reply, which looks for its root first, isn't overtaken by what follows", async () => {
    const { world, olga } = await scene();
    const { post } = olga.workspace.commands;
    const root = must(await world.during(post(GENERAL, "root")));
    const sent = Promise.all([post(GENERAL, "reply", root), post(GENERAL, "next"), post(GENERAL, "last")]);
    for (const result of await world.during(sent)) must(result);
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["root", "reply", "next", "last"]);
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
    const texts = textsIn(world, `channel:w_${channel}` as RoomName);
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
    const texts = textsIn(world, GENERAL_ROOM);
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
  it("my own post is news to neither, though no screen showed it arrive", async () => {
    const { world, olga } = await scene();
    const phone = await world.during((await world.device(OLGA, "phone")).open());
    await world.until("live", () => isLive(phone) && isLive(olga));
    must(await world.during(olga.workspace.commands.post(GENERAL, "written on deck, sent from below")));
    await world.until("delivered", () => items(olga).length === 0);
    const delivered = messagesIn(world, GENERAL_ROOM).at(-1);
    const devices = [olga, phone];
    await world.pass(2_000);
    expect(delivered).toMatchObject({ author: OLGA });
    expect(devices.map((device) => row(device, "general")?.isUnread)).toEqual([false, false]);
    await world.close();
  });

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
    void olga.workspace.commands.setDraft(GENERAL, "half a tho");
    void olga.workspace.commands.setDraft(GENERAL, "half a thought");
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
