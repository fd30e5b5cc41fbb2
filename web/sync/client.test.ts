// The client as the interface uses it, in front of real rooms: what is written offline, refused, kept and taken back.
import { describe, expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { OPS_IN_FLIGHT_MAX } from "#protocol/limits.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { GENERAL } from "../test/sim/world.ts";
import { heldMessages, heldOps, messagesIn } from "../test/sim/verdict.ts";
import {
  drain,
  GENERAL_ROOM,
  isLive,
  items,
  MARA,
  maraOf,
  must,
  OLGA,
  row,
  scene,
  secret,
  textsIn,
  watch,
} from "../test/sim/scene.ts";

describe("written without a network", () => {
  it("[OP5] however many wait, no more are on their way than a room remembers", async () => {
    const { world, olga, device } = await scene();
    device.line.cut();
    for (let at = 0; at < OPS_IN_FLIGHT_MAX + 36; at += 1) {
      must(await world.during(olga.workspace.commands.post(GENERAL, `text ${at}`)));
    }
    let most = 0;
    olga.workspace.outbox.subscribe(() => {
      most = Math.max(most, items(olga).filter(({ delivery }) => delivery === "sending").length);
    });
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    expect(most).toBe(OPS_IN_FLIGHT_MAX);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(
      Array.from({ length: OPS_IN_FLIGHT_MAX + 36 }, (_, at) => `text ${at}`),
    );
    await world.close();
  });

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

  it("[OP12] shows at once what becomes of messages in a channel made offline, though nothing else changes", async () => {
    const { world, olga } = await scene();
    const { workOffline, createChannel, post, edit, remove } = olga.workspace.commands;
    must(await world.during(workOffline(true)));
    await world.until("offline", () => olga.workspace.connection.snapshot().state === "offline");
    const channel = must(await world.during(createChannel({ name: "crane", access: "public" })));
    const view = watch(olga, channel);
    await world.during(view.timeline.settled());
    await world.pass(60_000);
    expect(view.ready()).toMatchObject({ messages: [], older: "nothing" });
    const one = must(await world.during(post(channel, "one")));
    expect(view.texts()).toEqual(["one"]);
    must(await world.during(edit(channel, one, "won")));
    expect(view.texts()).toEqual(["won"]);
    must(await world.during(remove(channel, one)));
    expect(view.texts()).toEqual([]);
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

  it("is said to come late only where it does, though the device's clock is slow", async () => {
    const { world, olga: early, device } = await scene();
    await world.during(early.client.close());
    device.skewMs = -3_600_000;
    const olga = await world.during(device.open());
    const view = watch(olga);
    await world.until("live", () => isLive(olga));
    must(await world.during(olga.workspace.commands.post(GENERAL, "at once")));
    await drain(world, olga);
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "at sea")));
    const writtenAt = world.town.now;
    await world.pass(20 * 60_000, 5_000);
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    await world.until("both", () => view.texts().length === 2);
    const [atOnce, late] = view.rows().slice(-2);
    expect(atOnce).not.toHaveProperty("writtenAt");
    expect(Math.abs((late?.writtenAt ?? 0) - writtenAt)).toBeLessThan(10_000);
    await world.close();
  });

  it("isn't said to come late either where a wrong clock is set right under an open link", async () => {
    for (const skewMs of [3_600_000, -3_600_000]) {
      const { world, olga: early, device } = await scene();
      await world.during(early.client.close());
      device.skewMs = skewMs;
      const olga = await world.during(device.open());
      const view = watch(olga);
      await world.until("live", () => isLive(olga));
      device.skewMs = 0;
      must(await world.during(olga.workspace.commands.post(GENERAL, "at once")));
      await world.until("sent", () => view.rows().at(-1)?.delivery === "sent");
      expect(view.rows().at(-1)).toMatchObject({ text: "at once" });
      expect(view.rows().at(-1)).not.toHaveProperty("writtenAt");
      await world.close();
    }
  });

  it("isn't said to come late where a right clock is set back under an open link, nor where that is heard of later", async () => {
    const { world, olga, device } = await scene();
    const view = watch(olga);
    await world.until("live", () => isLive(olga));
    for (const days of [1, 3]) {
      device.skewMs = -days * 86_400_000;
      if (days > 1) await world.pass(60_000, 5_000);
      const text = `${days} back`;
      must(await world.during(olga.workspace.commands.post(GENERAL, text)));
      await world.until("sent", () => view.rows().at(-1)?.text === text && view.rows().at(-1)?.delivery === "sent");
      expect(view.rows().at(-1)).not.toHaveProperty("writtenAt");
    }
    await world.close();
  });

  it("an edit goes on naming whom the message named, whoever else is called so or was deactivated", async () => {
    const { world, olga } = await scene();
    const { post, edit, activate, textToEdit } = olga.workspace.commands;
    const namesake = { user: "other", name: "mara", role: "member", channels: [] };
    await world.during(world.team.call("POST", "members", namesake));
    await world.until("known", () => textToEdit("<@other>") === "@mara#other");
    // As the composer writes whom one picks from its list.
    const id = must(await world.during(post(GENERAL, `thanks, ${textToEdit("<@other>")}`)));
    await drain(world, olga);
    const view = watch(olga);
    await world.until("shown", () => view.rows().at(-1)?.delivery === "sent");
    must(await world.during(activate("other" as UserId, false)));
    await drain(world, olga);
    const shown = view.rows().at(-1)!;
    must(await world.during(edit(GENERAL, id, `${textToEdit(shown.text)}!`, shown)));
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["thanks, <@other>!"]);
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

  it("[OP10] stands behind one taken back before, and before what was typed; above it where that is changed", async () => {
    const { world, olga, device } = await scene();
    const { post, discard, setDraft } = olga.workspace.commands;
    const draft = olga.workspace.draft(GENERAL);
    draft.subscribe(() => undefined);
    device.line.cut();
    for (const text of ["one", "two", "three"]) must(await world.during(post(GENERAL, text)));
    must(await world.during(setDraft(GENERAL, "begun since")));
    const [one, two, three] = items(olga);
    must(await world.during(discard(one!.op, "draft")));
    must(await world.during(setDraft(GENERAL, "one\nbegun since, and more")));
    must(await world.during(discard(two!.op, "draft")));
    await world.until("two drafts", () => items(olga).length === 1);
    expect(draft.snapshot()).toEqual({ state: "ready", value: "one\ntwo\nbegun since, and more" });
    must(await world.during(setDraft(GENERAL, "one, mended")));
    must(await world.during(discard(three!.op, "draft")));
    await world.until("a third", () => items(olga).length === 0);
    expect(draft.snapshot()).toEqual({ state: "ready", value: "three\none, mended" });
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
    const mara = await maraOf(world);
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

  it("[OP9] where a channel that was refused is given up, the draft in it stays in the Outbox", async () => {
    const { world, olga, device } = await scene();
    const { commands } = olga.workspace;
    const mara = await maraOf(world);
    device.line.cut();
    const channel = must(await world.during(commands.createChannel({ name: "crane", access: "public" })));
    must(await world.during(mara.workspace.commands.createChannel({ name: "crane", access: "public" })));
    await drain(world, mara);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("refused", () => items(olga)[0]?.delivery === "refused");
    must(await world.during(commands.setDraft(channel, "half a thought")));
    must(await world.during(commands.discard(items(olga)[0]!.op)));
    const outbox = olga.workspace.outbox.snapshot();
    expect(outbox.state === "ready" && outbox.value.drafts).toMatchObject([{ text: "half a thought", why: "gone" }]);
    await world.close();
  });

  it.each([
    ["tried again, it goes with the words it has by then", "again"],
    ["written anew, no older words come over the new ones", "anew"],
    ["moved, it takes the words along that it has by then", "moved"],
  ])("[OP9] a post that was edited while it was on its way: %s", async (_, way) => {
    const { world, olga, device } = await scene();
    const { commands } = olga.workspace;
    const channel = must(await world.during(commands.createChannel({ name: "old", access: "public" })));
    await drain(world, olga);
    const phone = await world.during((await world.device(OLGA, "phone")).open());
    await world.until("live", () => isLive(phone));
    commands.look(channel);
    await world.pass(3_000);
    device.line.hang();
    const id = must(await world.during(commands.post(channel, "first words")));
    await world.until("on its way", () => items(olga).some(({ delivery }) => delivery === "sending"));
    must(await world.during(commands.edit(channel, id, "second words")));
    must(await world.during(phone.workspace.commands.archiveChannel(channel, true)));
    await drain(world, phone);
    await world.pass(3_000);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("refused", () => items(olga)[0]?.delivery === "refused");
    await world.pass(3_000);
    expect(items(olga)).toMatchObject([
      { change: { op: "message.post" }, refusal: { code: "archived" }, editedText: "second words" },
      { change: { op: "message.edit" }, delivery: "queued", waitsFor: items(olga)[0]?.op },
    ]);
    must(await world.during(phone.workspace.commands.archiveChannel(channel, false)));
    await drain(world, phone);
    await world.pass(3_000);

    const { op } = items(olga)[0]!;
    if (way === "moved") must(await world.during(commands.moveTo(op, GENERAL)));
    else must(await world.during(way === "anew" ? commands.retry(op, "third words") : commands.retry(op)));
    await drain(world, olga);
    const room = way === "moved" ? GENERAL_ROOM : (`channel:w_${channel}` as RoomName);
    expect(textsIn(world, room)).toEqual([way === "anew" ? "third words" : "second words"]);
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
    const { world, olga, mara, device, channel } = await secret();
    const { changeMembers } = olga.workspace.commands;
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

/** Mara wrote, and both of Olga's devices show it as unread: whether they do, and its place. */
async function unreadOnTwo() {
  const stage = await scene();
  const { world, olga } = stage;
  const phone = await world.during((await world.device(OLGA, "phone")).open());
  const mara = await world.during((await world.device(MARA)).open());
  await world.until("live", () => isLive(phone) && isLive(mara));
  const isUnread = (): (boolean | undefined)[] => [olga, phone].map((tab) => row(tab, "general")?.isUnread);
  must(await world.during(mara.workspace.commands.post(GENERAL, "look")));
  await world.until("come", () => isUnread().every(Boolean));
  return { ...stage, phone, isUnread, seq: messagesIn(world, GENERAL_ROOM).at(-1)!.seq };
}

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

  it("[OP17] marking unread counts, though the word that it was read is still on its way; and so does reading it again", async () => {
    const { world, olga, device, isUnread, seq } = await unreadOnTwo();
    const { markRead, markUnread } = olga.workspace.commands;
    const turns = [
      [() => markRead(GENERAL, seq), () => markUnread(GENERAL, seq), true],
      [() => markUnread(GENERAL, seq - 1), () => markRead(GENERAL, seq), false],
    ] as const;
    for (const [first, then, stands] of turns) {
      device.line.hang();
      first();
      await world.pass(500);
      then();
      await world.until("shown", () => isUnread()[0] === stands);
      device.line.restore();
      await world.until("sent", async () => (await heldOps(device)).length === 0);
      await world.pass(2_000);
      expect(isUnread()).toEqual([stands, stands]);
    }
    await world.close();
  });

  it("[OP17] marking unread counts, though one's own post moved the position before anything was heard of it", async () => {
    const { world, olga, device, isUnread, seq } = await unreadOnTwo();
    const { post, markRead, markUnread } = olga.workspace.commands;
    markRead(GENERAL, seq);
    await world.until("read", () => !isUnread().some(Boolean));
    must(await world.during(post(GENERAL, "looking")));
    await world.until("posted", () => textsIn(world, GENERAL_ROOM).includes("looking"));
    device.line.hang();
    // The phone hears within half a minute how far the post moved it.
    await world.pass(60_000);
    expect(isUnread()).toEqual([false, false]);
    markUnread(GENERAL, seq);
    await world.until("shown", () => isUnread()[0] === true);
    device.line.restore();
    await world.until("told", () => isUnread()[1] === true);
    await world.until("sent", async () => (await heldOps(device)).length === 0);
    expect(isUnread()).toEqual([true, true]);
    await world.close();
  });

  it("[OP17] marking unread counts, though the answer to the reading before was lost and one's own post came between", async () => {
    const { world, olga, phone, device, isUnread, seq } = await unreadOnTwo();
    const { markRead, markUnread } = olga.workspace.commands;
    const { storage } = world.team.directory;
    storage.fault = () => {
      storage.fault = null;
      device.line.hang();
    };
    markRead(GENERAL, seq);
    await world.until("read", () => !isUnread().some(Boolean));
    expect(await heldOps(device)).toMatchObject([{ op: "read.set", n: 1 }]);
    must(await world.during(phone.workspace.commands.post(GENERAL, "looking")));
    await world.pass(2_000);
    markUnread(GENERAL, seq);
    await world.until("shown", () => isUnread()[0] === true);
    device.line.restore();
    await world.until("sent", async () => (await heldOps(device)).length === 0);
    await world.pass(2_000);
    expect(isUnread()).toEqual([true, true]);
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
