// A draft that can't leave its device, being too long or refused, hides what the room has in that composer. What another
// device wrote there since is nobody's to take away.
import { describe, expect, it } from "vitest";
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
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
  interface OnTwo extends Secret {
    readonly phone: Tab;
    readonly here: () => string | null;
    readonly there: () => string | null;
    /** Out of the channel, by the time its line is back. */
    readonly isTakenOut: () => Promise<void>;
    readonly isLetIn: () => Promise<void>;
  }

  /** Mara's two devices in a private channel. */
  async function secretOnTwo(): Promise<OnTwo> {
    const made = await secret();
    const { world, olga, mara, device, channel } = made;
    const phone = await world.during((await world.device(MARA, "phone")).open(channel));
    await world.until("live", () => isLive(phone));
    const changes = async (change: { readonly add?: UserId[]; readonly remove?: UserId[] }): Promise<void> => {
      must(await world.during(olga.workspace.commands.changeMembers(channel, change)));
      await drain(world, olga);
    };
    return {
      ...made,
      phone,
      here: drafted(mara, channel),
      there: drafted(phone, channel),
      isTakenOut: async () => {
        await changes({ remove: [MARA] });
        device.line.restore();
        mara.rig.happen("online");
        await world.pass(20_000, 500);
      },
      isLetIn: async () => {
        await changes({ add: [MARA] });
        await world.until("back", () => [mara, phone].every((tab) => row(tab, "secret") !== undefined));
        await leaves(world);
      },
    };
  }

  /** One writes without a network what will be refused. */
  async function refusedHere(): Promise<OnTwo> {
    const made = await secretOnTwo();
    made.device.line.cut();
    must(await made.world.during(made.mara.workspace.commands.setDraft(made.channel, "mine")));
    return made;
  }

  it("the other device's words stay beside what is typed on once one is back in", async () => {
    const { world, mara, phone, channel, here, there, isTakenOut, isLetIn } = await refusedHere();
    await isTakenOut();
    await isLetIn();
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
    const { world, mara, device, channel, here, there, isTakenOut, isLetIn } = await secretOnTwo();
    const { post, setDraft } = mara.workspace.commands;
    must(await world.during(setDraft(channel, "a")));
    await leaves(world);
    // One is on its way, and the next one waits behind it.
    device.line.hang();
    must(await world.during(setDraft(channel, "ab", undefined, "a")));
    await leaves(world);
    must(await world.during(setDraft(channel, "abc", undefined, "ab")));
    await isTakenOut();
    await isLetIn();
    expect([here(), there()]).toEqual(["abc", "a"]);
    if (how === "sent") must(await world.during(post(channel, "abc", undefined, undefined, "abc")));
    else must(await world.during(setDraft(channel, typed, undefined, "abc")));
    await leaves(world);
    expect([here(), there()]).toEqual([then, then]);
    await world.close();
  });

  it("one that the other device has as well hides nothing", async () => {
    const { world, mara, phone, channel, here, there, isTakenOut, isLetIn } = await refusedHere();
    await isTakenOut();
    await isLetIn();
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
      const { world, mara, phone, channel, isTakenOut } = await refusedHere();
      must(await world.during(phone.workspace.commands.setDraft(channel, PHONES)));
      await leaves(world);
      await isTakenOut();
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
