// A person's unsent words on two devices: written apart, they stand beside each other, and only what was sent goes.
import { describe, expect, it } from "vitest";
import { messagesIn } from "../test/sim/verdict.ts";
import { drain, GENERAL_ROOM, must, scene, textsIn } from "../test/sim/scene.ts";
import { drafted, leaves, twoDevices, type Two } from "../test/sim/two-devices.ts";
import { GENERAL } from "../test/sim/world.ts";

/** Both have a draft, and both show both. */
async function bothJoined(): Promise<
  Two & { readonly here: () => string | null; readonly there: () => string | null }
> {
  const two = await twoDevices();
  const [here, there] = [drafted(two.laptop), drafted(two.phone)];
  await apart(two, "from the laptop", "from the phone");
  const both = "from the phone\nfrom the laptop";
  await two.world.until("joined", () => here() === both && there() === both);
  return { ...two, here, there };
}

/** The laptop writes without a network what the phone doesn't know of, and comes back. */
async function apart(two: Two, onLaptop: string, onPhone: string): Promise<void> {
  const { world, laptop, phone, device } = two;
  device.line.cut();
  must(await world.during(laptop.workspace.commands.setDraft(GENERAL, onLaptop)));
  must(await world.during(phone.workspace.commands.setDraft(GENERAL, onPhone)));
  await leaves(world);
  device.line.restore();
  laptop.rig.happen("online");
  await leaves(world);
}

describe("a draft that is sent from another device", () => {
  it.each(["cut", "closed"])("goes here with the message, though the line there is %s right behind it", async (how) => {
    const { world, laptop, phone, phoneDevice } = await twoDevices();
    const [here, there] = [drafted(laptop), drafted(phone)];
    must(await world.during(laptop.workspace.commands.setDraft(GENERAL, "one text")));
    await world.until("come", () => there() === "one text");
    must(await world.during(phone.workspace.commands.post(GENERAL, "one text", undefined, undefined, "one text")));
    await world.until("sent", () => textsIn(world, GENERAL_ROOM).length === 1);
    await world.pass(200, 25);
    if (how === "cut") phoneDevice.line.cut();
    else phoneDevice.crash(phone);
    await world.pass(1_000, 50);
    expect(here()).toBe("");
    phoneDevice.line.restore();
    await world.close();
  });
});

it("a draft that says once more what is on its way to being a message is stored behind that", async () => {
  const { world, laptop, phone } = await twoDevices();
  const [here, there] = [drafted(laptop), drafted(phone)];
  const { post, setDraft } = laptop.workspace.commands;
  must(await world.during(setDraft(GENERAL, "ok")));
  await world.until("come", () => there() === "ok");
  const sent = post(GENERAL, "ok", undefined, undefined, "ok");
  must(await world.during(setDraft(GENERAL, "ok", undefined, "")));
  must(await world.during(sent));
  await leaves(world);
  expect([here(), there(), ...textsIn(world, GENERAL_ROOM)]).toEqual(["ok", "ok", "ok"]);
  await world.close();
});

describe("a draft whose answer was lost", () => {
  const [BREAD, MILK] = ["- bread", "- bread\n- milk"];

  /** The room has both lines, the device has no answer, and hears of them before it has one. */
  async function answerLost(): Promise<
    Two & { readonly here: () => string | null; readonly there: () => string | null }
  > {
    const two = await twoDevices();
    const { world, laptop, device } = two;
    const [here, there] = [drafted(laptop), drafted(two.phone)];
    const { setDraft } = laptop.workspace.commands;
    must(await world.during(setDraft(GENERAL, BREAD, undefined, "")));
    await world.until("come", () => there() === BREAD);
    await drain(world, laptop);
    device.line.deafen();
    must(await world.during(setDraft(GENERAL, MILK, undefined, BREAD)));
    await world.until("come", () => there() === MILK);
    device.line.cut();
    await world.pass(1_500);
    device.line.slowDown(100);
    device.line.restore();
    laptop.rig.happen("online");
    return { ...two, here, there };
  }

  it("[OP4] shows no line twice", async () => {
    const { world, here } = await answerLost();
    const seen = new Set<string | null>();
    for (let step = 0; step < 200; step += 1) {
      await world.pass(20, 20);
      seen.add(here());
    }
    expect([...seen]).toEqual([MILK]);
    await world.close();
  });

  it("[OP4] has none twice after it was written on meanwhile", async () => {
    const { world, laptop, here, there } = await answerLost();
    let text = MILK;
    for (let key = 0; key < 24; key += 1) {
      const over = text;
      text += "o";
      must(await world.during(laptop.workspace.commands.setDraft(GENERAL, text, undefined, over)));
      await world.pass(250, 25);
    }
    await leaves(world);
    await world.pass(20_000, 500);
    expect([here(), there()]).toEqual([text, text]);
    await world.close();
  });
});

describe("drafts written apart", () => {
  it("stand beside each other on both devices, and in the room", async () => {
    const { world, here, there } = await bothJoined();
    expect(here()).toBe("from the phone\nfrom the laptop");
    expect(there()).toBe(here());
    await world.close();
  });

  it("are joined before the room was asked, as soon as the other is known", async () => {
    const { world, laptop, phone } = await twoDevices();
    const here = drafted(laptop);
    must(await world.during(phone.workspace.commands.setDraft(GENERAL, "from the phone")));
    await world.until("come", () => here() === "from the phone");
    // Its composer was being typed in and saw none of it.
    must(await world.during(laptop.workspace.commands.setDraft(GENERAL, "typed meanwhile", undefined, "")));
    await world.until("joined", () => here() === "from the phone\ntyped meanwhile");
    must(await world.during(laptop.workspace.commands.setDraft(GENERAL, "typed on", undefined, "typed meanwhile")));
    await world.until("typed on", () => here() === "from the phone\ntyped on");
    await world.close();
  });

  it("lose only what was sent", async () => {
    const { world, laptop, here, there } = await bothJoined();
    const { newMessageId, post } = laptop.workspace.commands;
    // As a composer sends it that was typed in all the while, and never showed the other.
    must(await world.during(post(GENERAL, "from the laptop!", undefined, newMessageId(), "from the laptop")));
    await drain(world, laptop);
    await world.until("left", () => there() === "from the phone");
    expect(here()).toBe("from the phone");
    expect(messagesIn(world, GENERAL_ROOM).at(-1)).toMatchObject({ text: "from the laptop!" });
    await world.close();
  });

  it("go together when what was sent was all that stood there", async () => {
    const { world, laptop, here, there } = await bothJoined();
    must(await world.during(laptop.workspace.commands.post(GENERAL, "both in one")));
    await drain(world, laptop);
    await world.until("gone there too", () => there() === "");
    expect(here()).toBe("");
    await world.close();
  });
});

describe("a draft that is stored behind its person's sign-out", () => {
  it("fails, and nobody hears of a database that is closing", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    const drafting = [olga, second].map(async ({ workspace }) => {
      await world.pause(50);
      // By then the one that signs out has let go of its store, and the other is about to.
      return workspace.commands.setDraft(GENERAL, "typed to the last moment");
    });
    must(await world.during(olga.client.account.signOut("discard")));
    await world.during(Promise.all(drafting));
    for (const { workspace } of [olga, second]) {
      expect(await world.during(workspace.commands.setDraft(GENERAL, "too late"))).toMatchObject({ ok: false });
    }
    await world.pass(5_000, 500);
    expect(world.bugs).toEqual([]);
    await world.close();
  });
});
