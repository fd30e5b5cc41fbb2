// What was written offline meets what others, or one's own other device, did meanwhile: it is kept and shown, never hidden.
import { describe, expect, it } from "vitest";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { OutboxDraft } from "../store/snapshots.ts";
import { GENERAL, type Device, type Tab, type World } from "../test/sim/world.ts";
import { messagesIn } from "../test/sim/verdict.ts";
import {
  drain,
  GENERAL_ROOM,
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

async function twoDevices(): Promise<{ world: World; olga: Tab; device: Device; phone: Tab; id: MessageId }> {
  const { world, olga, device } = await scene();
  const phone = await world.during((await world.device(OLGA, "phone")).open());
  const id = must(await world.during(olga.workspace.commands.post(GENERAL, "as it was")));
  await drain(world, olga);
  const view = watch(phone);
  await world.until("there too", () => view.texts().includes("as it was"));
  return { world, olga, device, phone, id };
}

function drafts({ workspace }: Tab): readonly OutboxDraft[] {
  const outbox = workspace.outbox.snapshot();
  return outbox.state === "ready" ? outbox.value.drafts : [];
}

async function back(world: World, device: Device, tab: Tab): Promise<void> {
  device.line.restore();
  tab.rig.happen("online");
  await drain(world, tab);
}

describe("edited elsewhere while an edit waited", () => {
  it("the later stands, and both devices can read the other", async () => {
    const { world, olga, device, phone, id } = await twoDevices();
    const [here, there] = [watch(olga), watch(phone)];
    device.line.cut();
    must(await world.during(olga.workspace.commands.edit(GENERAL, id, "from the laptop")));
    must(await world.during(phone.workspace.commands.edit(GENERAL, id, "from the phone")));
    await drain(world, phone);
    await back(world, device, olga);
    await world.until("seen", () => there.texts().includes("from the laptop"));
    for (const view of [here, there]) {
      const shown = view.rows().find((message) => message.id === id);
      expect(shown).toMatchObject({ text: "from the laptop", replaced: { text: "from the phone" } });
    }
    must(await world.during(phone.workspace.commands.edit(GENERAL, id, "both in one")));
    await drain(world, phone);
    await world.until("seen", () => here.texts().includes("both in one"));
    expect(here.rows().find((message) => message.id === id)).not.toHaveProperty("replaced");
    await world.close();
  });

  it("while it still waits, it is shown already", async () => {
    const { world, olga, device, phone, id } = await twoDevices();
    const here = watch(olga);
    await world.until("read", () => here.texts().includes("as it was"));
    const { rev, text } = here.rows().find((message) => message.id === id)!;
    must(await world.during(phone.workspace.commands.edit(GENERAL, id, "from the phone")));
    await drain(world, phone);
    await world.until("come", () => here.texts().includes("from the phone"));
    device.line.cut();
    must(await world.during(olga.workspace.commands.edit(GENERAL, id, "begun before", { rev, text })));
    await world.until("shown", () => here.texts().includes("begun before"));
    expect(here.rows().find((message) => message.id === id)).toMatchObject({ replaced: { text: "from the phone" } });
    await world.close();
  });

  it("an edit of what is deleted already isn't taken and dropped, whoever deleted it", async () => {
    const { world, olga, device, phone, id } = await twoDevices();
    const gone = { ok: false, error: { code: "not_found" } };
    device.line.cut();
    must(await world.during(olga.workspace.commands.remove(GENERAL, id)));
    expect(await world.during(olga.workspace.commands.edit(GENERAL, id, "typed meanwhile"))).toMatchObject(gone);
    await back(world, device, olga);
    const there = watch(phone);
    await world.until("gone there too", () => !there.texts().includes("as it was"));
    expect(await world.during(phone.workspace.commands.edit(GENERAL, id, "typed meanwhile"))).toMatchObject(gone);
    await world.close();
  });

  it("one's own edits in a row are no conflict, however late the answers are", async () => {
    const { world, olga, id } = await twoDevices();
    const here = watch(olga);
    for (const text of ["first", "second", "third"]) {
      must(await world.during(olga.workspace.commands.edit(GENERAL, id, text)));
      await world.pass(1);
    }
    await drain(world, olga);
    await world.until("third", () => here.texts().includes("third"));
    const stands = messagesIn(world, GENERAL_ROOM).find((message) => message.id === id);
    expect(stands).toMatchObject({ text: "third" });
    expect(stands).not.toHaveProperty("replaced");
    await world.close();
  });
});

describe("edited twice while another device did", () => {
  it("the second doesn't hide that somebody else's was replaced by the first", async () => {
    const { world, olga, device, phone, id } = await twoDevices();
    const here = watch(olga);
    device.line.hang();
    must(await world.during(olga.workspace.commands.edit(GENERAL, id, "first")));
    await world.until("on its way", () => items(olga).some(({ delivery }) => delivery === "sending"));
    must(await world.during(olga.workspace.commands.edit(GENERAL, id, "second")));
    must(await world.during(phone.workspace.commands.edit(GENERAL, id, "from the phone")));
    await drain(world, phone);
    await back(world, device, olga);
    await world.until("second", () => here.texts().includes("second"));
    const stands = messagesIn(world, GENERAL_ROOM).find((message) => message.id === id);
    expect(stands).toMatchObject({ text: "second", replaced: { text: "from the phone\nfirst" } });
    await world.close();
  });
});

describe("deleted meanwhile", () => {
  it("[OP9] the edit stays with its reason and its words, holds up nothing, and can be posted as a message", async () => {
    const { world, olga, device, phone, id } = await twoDevices();
    device.line.cut();
    must(await world.during(olga.workspace.commands.edit(GENERAL, id, "better words")));
    must(await world.during(olga.workspace.commands.post(GENERAL, "something else")));
    must(await world.during(phone.workspace.commands.remove(GENERAL, id)));
    await drain(world, phone);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("refused", () => items(olga).length === 1 && items(olga)[0]?.delivery === "refused");
    const [item] = items(olga);
    expect(item).toMatchObject({ refusal: { code: "not_found" }, change: { args: { text: "better words" } } });
    must(await world.during(olga.workspace.commands.moveTo(item!.op, GENERAL)));
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["something else", "better words"]);
    await world.close();
  });

  it("what a channel's archiving refused says when it is open again, and an edit is tried again with the words it was given", async () => {
    const { world, olga, device, phone, id } = await twoDevices();
    device.line.cut();
    must(await world.during(olga.workspace.commands.edit(GENERAL, id, "to an archived channel")));
    must(await world.during(phone.workspace.commands.archiveChannel(GENERAL, true)));
    await drain(world, phone);
    await world.pass(3_000);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("refused", () => items(olga)[0]?.delivery === "refused");
    await world.until("known to be archived", () => row(olga, "general")?.isArchived === true);
    expect(items(olga)[0]).not.toHaveProperty("isReasonPast");
    must(await world.during(phone.workspace.commands.archiveChannel(GENERAL, false)));
    await drain(world, phone);
    await world.until("said to be open again", () => items(olga)[0]?.isReasonPast === true);
    must(await world.during(olga.workspace.commands.retry(items(olga)[0]!.op, "other words")));
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["other words"]);
    await world.close();
  });
});

describe("deleted, and the deletion taken back before it was sent", () => {
  it("[OP10] the edit that it outdated is shown again, and delivered", async () => {
    const { world, olga, device, id } = await twoDevices();
    const here = watch(olga);
    const { edit, remove, discard } = olga.workspace.commands;
    device.line.cut();
    must(await world.during(edit(GENERAL, id, "better words")));
    must(await world.during(remove(GENERAL, id)));
    await world.until("one change", () => items(olga).length === 1);
    const [deletion] = items(olga);
    expect(deletion).toMatchObject({ change: { op: "message.delete" }, editedText: "better words" });
    must(await world.during(discard(deletion!.op)));
    await world.until("as it was edited", () => here.texts().includes("better words"));
    await back(world, device, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["better words"]);
    await world.close();
  });
});

describe("deleted while it was on its way", () => {
  it("[OP9] [OP10] a message that is refused then is gone, and nothing waits or asks for attention", async () => {
    const { world, olga, device, phone } = await twoDevices();
    device.line.hang();
    const late = must(await world.during(olga.workspace.commands.post(GENERAL, "too late")));
    await world.until("on its way", () => items(olga).some(({ delivery }) => delivery === "sending"));
    must(await world.during(olga.workspace.commands.remove(GENERAL, late)));
    must(await world.during(phone.workspace.commands.archiveChannel(GENERAL, true)));
    await drain(world, phone);
    await world.pass(3_000);
    await back(world, device, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["as it was"]);
    expect(watch(olga).texts()).not.toContain("too late");
    await world.close();
  });
});

describe("a draft whose channel goes out of sight", () => {
  it("[RV5] is kept in the Outbox, written before or after it went, until it is thrown away", async () => {
    const { world, olga, mara, device, channel } = await secret();
    mara.workspace.status.subscribe(() => undefined);
    const { changeMembers } = olga.workspace.commands;
    void mara.workspace.commands.setDraft(channel, "half a sent");
    await world.until("drafted", () => row(mara, "secret")?.hasDraft === true);
    await world.pass(20_000, 500);
    device.line.cut();
    void mara.workspace.commands.setDraft(channel, "half a sentence");
    await world.until("drafted on", () =>
      JSON.stringify(mara.workspace.draft(channel).snapshot()).includes("sentence"),
    );
    expect(drafts(mara)).toEqual([]);
    must(await world.during(changeMembers(channel, { remove: [MARA] })));
    await drain(world, olga);
    device.line.restore();
    mara.rig.happen("online");
    await world.until("gone", () => row(mara, "secret") === undefined);
    await world.pass(20_000, 500);
    expect(drafts(mara)).toMatchObject([{ channel, text: "half a sentence", why: "gone" }]);
    expect(mara.workspace.status.snapshot().outbox).toEqual({ waiting: 0, refused: 0, drafts: 1 });
    void mara.workspace.commands.setDraft(channel, "");
    await world.until("thrown away", () => drafts(mara).length === 0);
    await world.pass(20_000, 500);
    expect(drafts(mara)).toEqual([]);
    await world.close();
  });

  it("is kept there too where only admins may post any more, and goes back where all may", async () => {
    const { world } = await scene();
    const mara = await maraOf(world);
    must(await world.during(mara.workspace.commands.setDraft(GENERAL, "half a sentence")));
    const owner = await world.during(world.team.enter(OLGA, world.team.workspace));
    await world.during(owner.op("channel.update", { id: GENERAL, posting: "admins" }));
    await world.until("in the Outbox", () => drafts(mara).length === 1);
    expect(drafts(mara)).toMatchObject([{ channel: GENERAL, text: "half a sentence", why: "admins-only" }]);
    await world.during(owner.op("channel.update", { id: GENERAL, posting: "all" }));
    await world.until("in its composer", () => drafts(mara).length === 0);
    expect(mara.workspace.draft(GENERAL).snapshot()).toEqual({ state: "ready", value: "half a sentence" });
    await world.close();
  });

  it("moves to the composer of one channel, before what stands there, however often that is asked for at once", async () => {
    const { world, olga } = await scene();
    const [docks, pier, quay] = ["docks" as ChannelId, "pier" as ChannelId, "quay" as ChannelId];
    const { setDraft, moveDraft } = olga.workspace.commands;
    must(await world.during(setDraft(docks, "half a sentence")));
    must(await world.during(setDraft(pier, "begun there")));
    const place = { channel: docks, text: "half a sentence" };
    const [first, second] = [moveDraft(place, pier), moveDraft(place, quay)];
    must(await world.during(first));
    expect(await world.during(second)).toMatchObject({ ok: false, error: { code: "not_found" } });
    const text = (of: ChannelId): unknown => olga.workspace.draft(of).snapshot();
    await world.until("moved", () => JSON.stringify(text(pier)).includes("half"));
    expect(text(docks)).toEqual({ state: "ready", value: "" });
    expect(text(pier)).toEqual({ state: "ready", value: "half a sentence\nbegun there" });
    expect(text(quay)).toEqual({ state: "ready", value: "" });
    await world.close();
  });
});
