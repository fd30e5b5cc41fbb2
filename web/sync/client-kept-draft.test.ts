// A draft that can't leave its device, being too long or refused, hides what the room has in that composer. What another
// device wrote there since is nobody's to take away.
import { describe, expect, it } from "vitest";
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { DRAFT_MAX_CHARS } from "#protocol/limits.ts";
import type { Result } from "#protocol/result.ts";
import type { OutboxDraft } from "../store/snapshots.ts";
import { drain, isLive, items, MARA, must, row, scene, secret, type Secret } from "../test/sim/scene.ts";
import { drafted, leaves, twoDevices, type Two } from "../test/sim/two-devices.ts";
import { GENERAL, type Tab } from "../test/sim/world.ts";
import type { Commands } from "./client.ts";

const LONG = "x".repeat(DRAFT_MAX_CHARS + 1);
const PHONES = "the phone's words";

describe("of a text that is too long for a synced draft", () => {
  async function longHere(): Promise<
    Two & { readonly here: () => string | null; readonly there: () => string | null }
  > {
    const two = await twoDevices();
    const { world, laptop, phone } = two;
    const [here, there] = [drafted(laptop), drafted(phone)];
    must(await world.during(laptop.workspace.commands.setDraft(GENERAL, LONG)));
    must(await world.during(phone.workspace.commands.setDraft(GENERAL, PHONES)));
    await leaves(world);
    expect([here(), there()]).toEqual([LONG, PHONES]);
    return { ...two, here, there };
  }

  it("the other device's words stay beside what is left of it", async () => {
    const { world, laptop, here, there } = await longHere();
    must(await world.during(laptop.workspace.commands.setDraft(GENERAL, "short", undefined, [LONG])));
    await leaves(world);
    expect([here(), there()]).toEqual([`${PHONES}\nshort`, `${PHONES}\nshort`]);
    await world.close();
  });

  it.each<[string, (commands: Commands) => Promise<Result<unknown, Failure>>]>([
    ["sent", ({ post }) => post(GENERAL, "short", undefined, undefined, [LONG])],
    ["erased", ({ setDraft }) => setDraft(GENERAL, "")],
  ])("and where it is %s", async (_how, act) => {
    const { world, laptop, here, there } = await longHere();
    must(await world.during(act(laptop.workspace.commands)));
    await leaves(world);
    expect([here(), there()]).toEqual([PHONES, PHONES]);
    await world.close();
  });

  it("what it grew out of goes with it, though the room has had that meanwhile", async () => {
    const { world, laptop, phone } = await twoDevices();
    const [here, there] = [drafted(laptop), drafted(phone)];
    must(await world.during(laptop.workspace.commands.setDraft(GENERAL, "begun")));
    must(await world.during(laptop.workspace.commands.setDraft(GENERAL, LONG, undefined, "begun")));
    await leaves(world);
    expect([here(), there()]).toEqual([LONG, "begun"]);
    must(await world.during(laptop.workspace.commands.setDraft(GENERAL, "ended", undefined, LONG)));
    await leaves(world);
    expect([here(), there()]).toEqual(["ended", "ended"]);
    await world.close();
  });
});

describe("of one that was refused while its author was out of the channel", () => {
  interface Refused extends Secret {
    readonly phone: Tab;
    readonly comesBack: () => Promise<void>;
  }

  async function refusedHere(): Promise<Refused> {
    const made = await secret();
    const { world, olga, mara, device, channel } = made;
    const phone = await world.during((await world.device(MARA, "phone")).open(channel));
    await world.until("live", () => isLive(phone));
    device.line.cut();
    must(await world.during(mara.workspace.commands.setDraft(channel, "mine")));
    return {
      ...made,
      phone,
      comesBack: async () => {
        must(await world.during(olga.workspace.commands.changeMembers(channel, { remove: [MARA] })));
        await drain(world, olga);
        device.line.restore();
        mara.rig.happen("online");
        await leaves(world);
      },
    };
  }

  it("the other device's words stay beside what is typed on once one is back in", async () => {
    const { world, olga, mara, phone, channel, comesBack } = await refusedHere();
    const [here, there] = [drafted(mara, channel), drafted(phone, channel)];
    await comesBack();
    must(await world.during(olga.workspace.commands.changeMembers(channel, { add: [MARA] })));
    await world.until("back", () => [mara, phone].every((tab) => row(tab, "secret") !== undefined));
    must(await world.during(phone.workspace.commands.setDraft(channel, PHONES)));
    await leaves(world);
    must(await world.during(mara.workspace.commands.setDraft(channel, "mine and more", undefined, ["mine"])));
    await leaves(world);
    const both = `${PHONES}\nmine and more`;
    expect([here(), there()]).toEqual([both, both]);
    await world.close();
  });

  it.each<[string, string, string]>([
    ["typed on", "abcd", "abcd"],
    ["sent", "", ""],
  ])("nothing that it grew out of stands there again, though that was refused too: %s", async (how, typed, then) => {
    const { world, olga, mara, device, channel } = await secret();
    const phone = await world.during((await world.device(MARA, "phone")).open(channel));
    await world.until("live", () => isLive(phone));
    const [here, there] = [drafted(mara, channel), drafted(phone, channel)];
    const { post, setDraft } = mara.workspace.commands;
    must(await world.during(setDraft(channel, "a")));
    await leaves(world);
    // One is on its way, and the next one waits behind it.
    device.line.hang();
    must(await world.during(setDraft(channel, "ab", undefined, "a")));
    await leaves(world);
    must(await world.during(setDraft(channel, "abc", undefined, "ab")));
    must(await world.during(olga.workspace.commands.changeMembers(channel, { remove: [MARA] })));
    await drain(world, olga);
    device.line.restore();
    mara.rig.happen("online");
    await world.pass(20_000, 500);
    must(await world.during(olga.workspace.commands.changeMembers(channel, { add: [MARA] })));
    await world.until("back", () => [mara, phone].every((tab) => row(tab, "secret") !== undefined));
    await leaves(world);
    expect([here(), there()]).toEqual(["abc", "a"]);
    if (how === "sent") must(await world.during(post(channel, "abc", undefined, undefined, "abc")));
    else must(await world.during(setDraft(channel, typed, undefined, "abc")));
    await leaves(world);
    expect([here(), there()]).toEqual([then, then]);
    await world.close();
  });

  it("one that the other device has as well hides nothing", async () => {
    const { world, olga, mara, phone, channel, comesBack } = await refusedHere();
    const [here, there] = [drafted(mara, channel), drafted(phone, channel)];
    await comesBack();
    must(await world.during(olga.workspace.commands.changeMembers(channel, { add: [MARA] })));
    await world.until("back", () => [mara, phone].every((tab) => row(tab, "secret") !== undefined));
    must(await world.during(phone.workspace.commands.setDraft(channel, "mine\nand more")));
    await leaves(world);
    expect([here(), there()]).toEqual(["mine\nand more", "mine\nand more"]);
    must(await world.during(mara.workspace.commands.setDraft(channel, "", undefined, "mine\nand more")));
    await leaves(world);
    expect([here(), there()]).toEqual(["", ""]);
    await world.close();
  });

  it("moved or discarded, it leaves the other's in the Outbox", async () => {
    for (const to of [GENERAL, null]) {
      const { world, mara, phone, channel, comesBack } = await refusedHere();
      must(await world.during(phone.workspace.commands.setDraft(channel, PHONES)));
      await leaves(world);
      await comesBack();
      expect([textsOf(mara, channel), textsOf(phone, channel)]).toEqual([["mine"], [PHONES]]);
      const { moveDraft, setDraft } = mara.workspace.commands;
      if (to === null) must(await world.during(setDraft(channel, "", undefined, "mine")));
      else must(await world.during(moveDraft({ channel, text: "mine" }, to)));
      await leaves(world);
      expect([textsOf(mara, channel), textsOf(phone, channel)]).toEqual([[PHONES], [PHONES]]);
      await world.close();
    }
  });

  function textsOf({ workspace }: Tab, channel: ChannelId): string[] {
    const outbox = workspace.outbox.snapshot();
    const drafts: readonly OutboxDraft[] = outbox.state === "ready" ? outbox.value.drafts : [];
    return drafts.flatMap((draft) => (draft.channel === channel ? [draft.text] : []));
  }
});

it.each(["\u0001", "\u001B", "\uD800"])(
  "a draft of %j, of which no frame bears so many, stays here, and holds nothing up",
  async (sign) => {
    const { world, olga } = await scene();
    const text = sign.repeat(12_000);
    const here = drafted(olga);
    must(await world.during(olga.workspace.commands.setDraft(GENERAL, text)));
    must(await world.during(olga.workspace.commands.createChannel({ name: "after", access: "public" })));
    await leaves(world);
    expect([isLive(olga), items(olga), here()]).toEqual([true, [], text]);
    await world.close();
  },
);
