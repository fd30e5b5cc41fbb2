// A draft that stands on two devices of a person and is sent from both, of which one has no network, is one message ([OP18]);
// nothing else of what was said, or is being written, goes with that.
import { describe, expect, it } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { drain, GENERAL_ROOM, isLive, items, must, OLGA, textsIn, watch } from "../test/sim/scene.ts";
import { drafted, leaves, twoDevices, type Two } from "../test/sim/two-devices.ts";
import { messagesIn } from "../test/sim/verdict.ts";
import { GENERAL, type Tab } from "../test/sim/world.ts";

const WORDS = "one and the same";

/** Also of the laptop while it is cut off: it is on its disk. */
const sends = async ({ world }: Two, { workspace }: Tab): Promise<MessageId> =>
  must(await world.during(workspace.commands.post(GENERAL, WORDS)));

const writes = async ({ world }: Two, { workspace }: Tab, text: string): Promise<void> => {
  must(await world.during(workspace.commands.setDraft(GENERAL, text)));
};

describe("[OP18] a draft that both send", () => {
  /** On both, and confirmed; the laptop has no network from then on. */
  async function onBoth(text: string): Promise<Two> {
    const two = await twoDevices();
    const [here, there] = [drafted(two.laptop), drafted(two.phone)];
    await writes(two, two.laptop, text);
    await leaves(two.world);
    await two.world.until("confirmed", () => here() === text && there() === text);
    two.device.line.cut();
    return two;
  }

  async function back({ world, laptop, device }: Two): Promise<void> {
    device.line.restore();
    laptop.rig.happen("online");
    await drain(world, laptop);
  }

  const texts = ({ world }: Two): string[] => textsIn(world, GENERAL_ROOM);

  it("is one message on both, and nothing of it is left anywhere", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    await sends(two, laptop);
    await sends(two, phone);
    await drain(world, phone);
    await back(two);
    expect(texts(two)).toEqual([WORDS]);
    for (const tab of [laptop, phone]) {
      const shown = watch(tab);
      await world.until("alike", () => shown.texts().join() === WORDS);
      expect(drafted(tab)()).toBe("");
      expect(items(tab)).toEqual([]);
    }
    await world.close();
  });

  it("is one where neither had a network", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone, phoneDevice } = two;
    phoneDevice.line.cut();
    await sends(two, phone);
    await sends(two, laptop);
    await back(two);
    phoneDevice.line.restore();
    phone.rig.happen("online");
    await drain(world, phone);
    expect(texts(two)).toEqual([WORDS]);
    await world.close();
  });

  it("keeps what was said besides: corrected on its way, or the same words written anew", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    const { commands } = laptop.workspace;
    await sends(two, phone);
    await drain(world, phone);
    await sends(two, laptop);
    // Typed once more, kept as a draft meanwhile, and sent.
    await writes(two, laptop, WORDS);
    await sends(two, laptop);
    await writes(two, laptop, WORDS);
    const corrected = await sends(two, laptop);
    must(await world.during(commands.edit(GENERAL, corrected, "corrected")));
    await back(two);
    expect(texts(two)).toEqual([WORDS, WORDS, "corrected"]);
    await world.close();
  });

  it.each([
    ["erased", ["", WORDS]],
    ["erased and typed letter by letter", ["", "one", "one and", WORDS]],
  ])("is another where it was %s on the laptop meanwhile: both are said", async (_, typed) => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    await sends(two, phone);
    await drain(world, phone);
    for (const text of typed) await writes(two, laptop, text);
    await sends(two, laptop);
    await back(two);
    expect(texts(two)).toEqual([WORDS, WORDS]);
    for (const tab of [laptop, phone]) expect(drafted(tab)()).toBe("");
    await world.close();
  });

  it("takes what was done to it on the laptop, which had no network either", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    const { commands } = laptop.workspace;
    await sends(two, phone);
    await drain(world, phone);
    const id = await sends(two, laptop);
    must(await world.during(commands.react(GENERAL, id, "👍", true)));
    must(await world.during(commands.post(GENERAL, "an answer", id)));
    await back(two);
    const [one, answer] = messagesIn(world, GENERAL_ROOM).filter((message) => !message.deleted && !message.system);
    expect(one).toMatchObject({ text: WORDS, reactions: { "👍": [OLGA] } });
    expect(answer).toMatchObject({ text: "an answer", root: one?.id });
    expect(items(laptop)).toEqual([]);
    await world.close();
  });

  it("leaves what was written anew in the same words since", async () => {
    const two = await onBoth("ok");
    const { world, laptop, phone } = two;
    must(await world.during(laptop.workspace.commands.post(GENERAL, "ok", undefined, undefined, "ok")));
    must(await world.during(phone.workspace.commands.post(GENERAL, "ok", undefined, undefined, "ok")));
    await drain(world, phone);
    must(await world.during(phone.workspace.commands.setDraft(GENERAL, "ok", undefined, "")));
    await leaves(world);
    await back(two);
    await leaves(world);
    expect([drafted(laptop)(), drafted(phone)(), ...texts(two)]).toEqual(["ok", "ok", "ok"]);
    await world.close();
  });

  it.each([
    ["the same words", WORDS],
    ["those and more", "first\none and the same\nlast"],
  ])("leaves what was begun anew on the phone meanwhile: %s", async (_, anew) => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    await sends(two, laptop);
    await sends(two, phone);
    await drain(world, phone);
    await writes(two, phone, anew);
    await leaves(world);
    await back(two);
    await leaves(world);
    for (const tab of [laptop, phone]) expect(drafted(tab)()).toBe(anew);
    expect(texts(two)).toEqual([WORDS]);
    await world.close();
  });

  it("leaves what was begun anew on the laptop in the same words, and not sent", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    await sends(two, laptop);
    await writes(two, laptop, WORDS);
    await sends(two, phone);
    await drain(world, phone);
    await back(two);
    await leaves(world);
    for (const tab of [laptop, phone]) expect(drafted(tab)()).toBe(WORDS);
    expect(texts(two)).toEqual([WORDS]);
    await world.close();
  });

  it("is one though it was written on meanwhile on the phone, and back", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    for (const text of ["one and the same, and more", WORDS]) {
      await writes(two, phone, text);
      await leaves(world);
    }
    await sends(two, laptop);
    await sends(two, phone);
    await drain(world, phone);
    await back(two);
    expect(texts(two)).toEqual([WORDS]);
    await world.close();
  });

  it.each([
    ["is the same draft still where it was sent from the laptop and taken back", true, "one and the same, and more"],
    ["stands beside where it was erased and typed again", false, "one and the same, and more\none and the same"],
  ])("%s, while the phone wrote on", async (_, isSent, draft) => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    const { commands } = laptop.workspace;
    if (isSent) {
      await sends(two, laptop);
      const op = items(laptop).find(({ change }) => change.op === "message.post")?.op;
      must(await world.during(commands.discard(op!, "draft")));
    } else {
      await writes(two, laptop, "");
      await writes(two, laptop, WORDS);
    }
    expect(drafted(laptop)()).toBe(WORDS);
    await writes(two, phone, "one and the same, and more");
    await leaves(world);
    await back(two);
    await leaves(world);
    for (const tab of [laptop, phone]) expect(drafted(tab)()).toBe(draft);
    await world.close();
  });

  it.each([
    ["a moment", [`${"x".repeat(9_000)}y`]],
    ["all of it", [""]],
  ])(
    "keeps what the phone wrote on, where %s was changed back on the laptop, though two don't fit into a frame",
    async (_, between) => {
      const long = "x".repeat(9_000);
      const two = await onBoth(long);
      const { world, laptop, phone } = two;
      for (const text of [...between, long]) await writes(two, laptop, text);
      await writes(two, phone, `${long}\nA new paragraph`);
      await leaves(world);
      await back(two);
      await leaves(world);
      for (const tab of [laptop, phone]) expect(drafted(tab)()?.slice(9_000)).toBe("\nA new paragraph");
      await world.close();
    },
  );

  it("is none where a composer says the same that never showed it: both are said", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    const { newMessageId, post } = laptop.workspace.commands;
    must(await world.during(post(GENERAL, WORDS, undefined, newMessageId(), "")));
    await sends(two, phone);
    await drain(world, phone);
    await back(two);
    expect(texts(two)).toEqual([WORDS, WORDS]);
    await world.close();
  });

  it("leaves what was begun anew on the phone where it was typed on and sent on the laptop", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    await writes(two, laptop, "one and the same!");
    must(await world.during(laptop.workspace.commands.post(GENERAL, "one and the same!")));
    await sends(two, phone);
    await drain(world, phone);
    await writes(two, phone, WORDS);
    await leaves(world);
    await back(two);
    await leaves(world);
    for (const tab of [laptop, phone]) expect(drafted(tab)()).toBe(WORDS);
    expect(texts(two)).toEqual([WORDS, "one and the same!"]);
    await world.close();
  });

  it("is two where somebody is about to change or answer the one that waits", async () => {
    const two = await onBoth(WORDS);
    const { world, laptop, phone } = two;
    const id = await sends(two, laptop);
    must(await world.during(laptop.workspace.commands.setApart(GENERAL, id)));
    await sends(two, phone);
    await drain(world, phone);
    await back(two);
    expect(texts(two)).toEqual([WORDS, WORDS]);
    await world.close();
  });

  /** The laptop's has a number, and nothing of it comes through; the phone has sent the same. */
  async function stuck(): Promise<Two & { readonly id: MessageId }> {
    const two = await onBoth(WORDS);
    const { world, laptop, phone, device } = two;
    device.line.restore();
    laptop.rig.happen("online");
    await world.until("live", () => isLive(laptop));
    device.line.mute();
    const id = await sends(two, laptop);
    await world.pass(1_000, 50);
    await sends(two, phone);
    await drain(world, phone);
    return { ...two, id };
  }

  it("stands where the one that waits on the laptop is deleted, having been sent from the phone", async () => {
    const two = await stuck();
    must(await two.world.during(two.laptop.workspace.commands.remove(GENERAL, two.id)));
    await back(two);
    expect(texts(two)).toEqual([WORDS]);
    await two.world.close();
  });

  it("stands where the one that waits on the laptop is taken back into its draft", async () => {
    const two = await stuck();
    const { world, laptop } = two;
    const op = items(laptop).find(({ change }) => change.op === "message.post")?.op;
    if (op === undefined) throw new Error("Nothing waits");
    must(await world.during(laptop.workspace.commands.discard(op, "draft")));
    await back(two);
    expect(texts(two)).toEqual([WORDS]);
    expect(drafted(laptop)()).toBe(WORDS);
    await world.close();
  });

  it("keeps the phone's words where what waits on the laptop is made another message", async () => {
    const two = await stuck();
    must(await two.world.during(two.laptop.workspace.commands.edit(GENERAL, two.id, "and bring the cake")));
    await back(two);
    const one = messagesIn(two.world, GENERAL_ROOM).find((message) => !message.deleted && !message.system);
    expect(one).toMatchObject({ text: "and bring the cake", replaced: { text: WORDS } });
    await two.world.close();
  });
});
