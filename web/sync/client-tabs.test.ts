// Several tabs of one profile, and several people of one.
import { describe, expect, it, vi } from "vitest";
import { failure, problemOf } from "#protocol/errors.ts";
import type { MessageId, WorkspaceId } from "#protocol/ids.ts";
import { type Device, GENERAL, type Tab } from "../test/sim/world.ts";
import { heldMessages, heldOps } from "../test/sim/verdict.ts";
import type { TabMessage } from "./tab-messages.ts";
import { drain, GENERAL_ROOM, isLive, items, MARA, must, OLGA, scene, textsIn, watch } from "../test/sim/scene.ts";

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

  it.each<[string, (tab: Tab, id: MessageId) => Promise<unknown>]>([
    ["an edit", ({ workspace }, id) => workspace.commands.edit(GENERAL, id, "corrected")],
    ["a reaction", ({ workspace }, id) => workspace.commands.react(GENERAL, id, "👍", true)],
    ["a deletion", ({ workspace }, id) => workspace.commands.remove(GENERAL, id)],
    ["a channel", ({ workspace }) => workspace.commands.createChannel({ name: "crane", access: "public" })],
  ])("[OP8] a leader that hangs is overtaken behind %s as behind a text", async (_what, change) => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    const id = must(await world.during(second.workspace.commands.post(GENERAL, "written")));
    await drain(world, second);
    olga.rig.hang();
    await world.during(change(second, id));
    await world.until("the second leads", () => second.workspace.status.snapshot().isLeader, 3_000);
    await drain(world, second);
    expect(await world.during(heldOps(device))).toEqual([]);
    device.crash(olga);
    await world.close();
  });

  it("a dead line is told in the tab that is looked at, though the one that leads is out of sight and its timers are late", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    await world.until("live", () => isLive(second));
    olga.rig.setVisible(false);
    olga.rig.delayTimers(60_000);
    for (const sinceLive of [300_000, 5_000, 25_000, 45_000, 65_000, 85_000]) {
      await world.until("live", () => isLive(second));
      await world.pass(sinceLive, 1_000);
      device.line.hang();
      await world.pass(50_000, 500);
      expect([sinceLive, isLive(second)]).toEqual([sinceLive, false]);
      device.line.restore();
    }
    await world.close();
  });
});

it("a tab that is killed looks at nothing any more, though it took no leave", async () => {
  const { world, olga, device } = await scene();
  const mara = await world.during((await world.device(MARA)).open());
  const side = must(await world.during(mara.workspace.commands.createChannel({ name: "side", access: "public" })));
  await drain(world, mara);
  const second = await world.during(device.open(side));
  const link = (): string | undefined =>
    olga.workspace.status.snapshot().rooms.find(({ name }) => name === `channel:w_${side}`)?.link;
  await world.until("linked for it", () => link() === "live");
  // Looks once more, as whoever is seen does; by now it leads or follows.
  second.rig.happen("focus");
  await world.pass(1_000);
  device.crash(second);
  await world.until("nobody looks", () => link() === "none");
  expect(olga.workspace.status.snapshot().isLeader).toBe(true);
  await world.close();
});

describe("who is here, when the tab that knew has ended", () => {
  it("is nobody, for as long as no room says otherwise", async () => {
    const { world, olga, device } = await scene();
    const mara = await world.during((await world.device(MARA)).open());
    const second = await world.during(device.open());
    const { snapshot } = second.workspace.presence(GENERAL);
    mara.workspace.commands.look(GENERAL);
    await world.until("both are here", () => snapshot().present.size === 2);
    mara.workspace.commands.typing(GENERAL);
    await world.until("she types", () => snapshot().typing.length === 1);
    // Nobody but the one that ends would have heard that the line is gone.
    device.line.hang();
    device.crash(olga);
    await world.until("the second leads", () => second.workspace.status.snapshot().isLeader);
    await world.pass(20_000);
    expect(snapshot()).toEqual({ present: new Map(), typing: [] });
    await world.close();
  });
});

it("whose clock is set back is seen to type on", async () => {
  const { world, olga } = await scene();
  const device = await world.device(MARA);
  const mara = await world.during(device.open());
  const { snapshot } = olga.workspace.presence(GENERAL);
  const isTyping = (): boolean => snapshot().typing.length === 1;
  await world.until("both are here", () => snapshot().present.size === 2);
  mara.workspace.commands.typing(GENERAL);
  await world.until("she types", isTyping);
  await world.until("she rests", () => !isTyping());
  device.skewMs = -3_600_000;
  mara.workspace.commands.typing(GENERAL);
  await world.until("she types again", isTyping, 30_000);
  await world.close();
});

describe("a leader that ends before it told what it stored", () => {
  it("[OP8] leaves nothing unshown: the next one's tabs read anew what they show", async () => {
    const { world, olga, device } = await scene();
    const mara = await world.during((await world.device(MARA)).open());
    const second = await world.during(device.open());
    const third = await world.during(device.open());
    const views = [watch(second), watch(third)];
    must(await world.during(second.workspace.commands.post(GENERAL, "seen by all")));
    await world.until("shown", () => views.every((view) => view.rows().at(-1)?.delivery === "sent"));
    device.line.cut();
    must(await world.during(second.workspace.commands.post(GENERAL, "queued")));
    await world.until("shown", () => views.every((view) => view.texts().includes("queued")));
    olga.rig.mute();
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    must(await world.during(mara.workspace.commands.post(GENERAL, "and answered")));
    await world.until("stored", async () => {
      const held = await world.during(heldMessages(device, GENERAL_ROOM));
      return held.some((message) => !message.deleted && message.text === "and answered");
    });
    device.crash(olga);
    await world.until("another leads", () => [second, third].some((tab) => tab.workspace.status.snapshot().isLeader));
    for (const [at, tab] of [second, third].entries()) {
      await world.until("nothing waits", () => items(tab).length === 0, 30_000);
      const rows = (): (readonly [string, string])[] =>
        (views[at]?.rows() ?? []).flatMap(({ system, text, delivery }) => (system ? [] : [[text, delivery]]));
      await world.until("all shown", () => rows().length === 3, 30_000);
      expect(rows()).toEqual([
        ["seen by all", "sent"],
        ["queued", "sent"],
        ["and answered", "sent"],
      ]);
    }
    await world.close();
  });

  it("[OP8] where it only hung, what it tells late is put right", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    const view = watch(second);
    const id = must(await world.during(second.workspace.commands.post(GENERAL, "first words")));
    await drain(world, second);
    const name = "causeway/causeway/olga";
    const [late] = await world
      .during(heldMessages(device, GENERAL_ROOM))
      .then((held) => held.filter((m) => m.id === id));
    must(await world.during(second.workspace.commands.edit(GENERAL, id, "second words")));
    await drain(world, second);
    await world.until("shown", () => view.texts().includes("second words"));

    const released = Promise.withResolvers<void>();
    const commit = [{ table: "messages", put: { room: GENERAL_ROOM, seq: late!.seq, message: late! } }];
    olga.rig.ports.openBus(name).send({ type: "commit", commit });
    await world.until("out of date", () => view.texts().includes("first words"));
    const stolen = second.rig.ports.locks?.request(name, { steal: true }, () => released.promise);
    await world.until("put right", () => view.texts().includes("second words"), 30_000);
    released.resolve();
    await stolen;
    await world.close();
  });

  it("a tab that took something back and told nobody leaves no ghost of it", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    device.line.cut();
    const id = must(await world.during(second.workspace.commands.post(GENERAL, "taken back")));
    await world.until("shown", () => items(olga).length === 1);
    second.rig.mute();
    must(await world.during(second.workspace.commands.remove(GENERAL, id)));
    device.crash(second);
    await world.until("gone", () => items(olga).length === 0, 60_000);
    await world.close();
  });
});

describe("a tab that ends before it told that a refused message is to go again", () => {
  it("[OP9] has it sent all the same, and none says any more that it wasn't", async () => {
    const { world, olga, device } = await scene();
    const view = watch(olga);
    const second = await world.during(device.open());
    const phone = await world.during((await world.device(OLGA, "phone")).open());
    await world.until("live", () => isLive(phone));
    device.line.cut();
    must(await world.during(second.workspace.commands.post(GENERAL, "try me again")));
    must(await world.during(phone.workspace.commands.archiveChannel(GENERAL, true)));
    await drain(world, phone);
    // The workspace's room tells the channel's.
    await world.pass(3_000);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("refused", () => items(olga)[0]?.refusal?.code === "archived");
    must(await world.during(phone.workspace.commands.archiveChannel(GENERAL, false)));
    await drain(world, phone);
    await world.until("open, and nothing else to do", () => items(olga)[0]?.isReasonPast === true);
    await world.pass(1_000);
    second.rig.mute();
    must(await world.during(second.workspace.commands.retry(items(olga)[0]!.op)));
    device.crash(second);
    await world.until("sent", () => view.rows().at(-1)?.delivery === "sent", 60_000);
    expect(view.rows().at(-1)).toMatchObject({ text: "try me again" });
    expect(items(olga)).toEqual([]);
    await world.close();
  });
});

describe("an older build", () => {
  it("says that an update is needed when a room serves later versions only", async () => {
    const { world, olga } = await scene();
    expect(olga.client.update.snapshot()).toMatchObject({ isReady: false, isNeeded: false });
    const leader = olga.rig.ports.openBus("causeway/causeway/olga");
    const connection = { state: "refused", code: "upgrade_required", detail: "old" } as const;
    const status = {
      workspace: "w" as WorkspaceId,
      connection,
      rooms: [],
      flowing: [],
      liveAt: null,
      fill: { state: "done" },
    } as const;
    leader.send({ type: "status", status } satisfies TabMessage);
    await world.until("said", () => olga.client.update.snapshot().isNeeded);
    leader.close();
    await world.close();
  });

  it("lets go of a database that a newer one needs, leads no more, and says so", async () => {
    const { world, olga, device } = await scene();
    const newer = await world.during(raise(device.databases, "causeway/causeway/olga"));
    await world.until("said", () => olga.client.update.snapshot().isNeeded);
    await world.until("leads no more", () => !olga.workspace.status.snapshot().isLeader);
    // Nor does it go on to call a line good or bad of which it hears no more.
    const outdated = { state: "refused", code: "upgrade_required" };
    await world.until("paused", () => olga.workspace.connection.snapshot().state === "refused");
    expect(olga.workspace.connection.snapshot()).toMatchObject(outdated);
    expect(olga.workspace.status.snapshot().connection).toMatchObject(outdated);
    const result = await world.during(olga.workspace.commands.post(GENERAL, "not taken"));
    // In other words than the bar, which stands below it.
    const detail = "This tab can store nothing any more. Reload to go on.";
    expect(result).toMatchObject({ ok: false, error: { code: "upgrade_required", detail } });
    newer.close();
    expect(world.bugs).toEqual([]);
  });
});

/** Opens a database as a later version of the app would. */
function raise(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  const request = factory.open(name, 1_000);
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("no answer from the database")));
  });
}

describe("signing out", () => {
  it("asks what becomes of a queue before it removes anything", async () => {
    const { world, olga, device } = await scene();
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "not sent")));
    const asked = await world.during(olga.client.account.signOut("none"));
    expect(asked).toMatchObject({ ok: false, error: { code: "invalid" } });
    expect(items(olga)).toHaveLength(1);
    await world.close();
  });

  it("takes the person's database off the device, and holds in every tab", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    must(await world.during(second.client.account.signOut("none")));
    await world.until("out everywhere", () =>
      [olga, second].every(({ client }) => client.account.session.snapshot().state === "nobody"),
    );
    const names = await world.during(device.databases.databases());
    expect(names.map(({ name }) => name)).toEqual(["causeway"]);
    expect([olga, second].map(({ client }) => client.open("team"))).toEqual([null, null]);
    expect(olga.client.update.snapshot()).toEqual({ isReady: false, isNeeded: false, notice: null });
    await world.close();
  });

  it("isn't undone by an answer that was on its way: what waits is still out of sight", async () => {
    const { world, olga, device } = await scene();
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "olga's alone")));
    device.line.restore();
    const arrives = Promise.withResolvers<void>();
    const answer = world.answer.bind(world);
    world.answer = async (to, input, init) => {
      const told = await answer(to, input, init);
      if (input.endsWith("/api/me")) await arrives.promise;
      return told;
    };
    const asked = olga.client.account.refresh();
    must(await world.during(olga.client.account.signOut("keep")));
    arrives.resolve();
    must(await world.during(asked));
    expect(olga.client.account.session.snapshot()).toEqual({ state: "nobody" });
    expect(olga.client.open("team")).toBeNull();
    await world.close();
  });

  it("isn't told by an answer of before that comes late, where the session was renewed since", async () => {
    const { world, olga } = await scene();
    const { account } = olga.client;
    const answer = world.answer.bind(world);
    const endAfter = (wait: Promise<void>): void => {
      world.answer = async (to, input, init) => {
        if (!input.endsWith("/api/me")) return answer(to, input, init);
        world.answer = answer;
        await wait;
        const told = problemOf(failure("unauthenticated"));
        return Response.json(told, { status: told.status });
      };
    };
    endAfter(Promise.resolve());
    await world.during(account.refresh());
    expect(account.session.snapshot().state).toBe("signed-out");
    const arrives = Promise.withResolvers<void>();
    endAfter(arrives.promise);
    const late = account.refresh();
    must(await world.during(account.refresh()));
    arrives.resolve();
    await world.during(late);
    expect(account.session.snapshot()).toMatchObject({ state: "signed-in", person: { user: OLGA } });
    await world.close();
  });

  it("takes nothing that was written meanwhile, in whichever tab: it goes when the person is back", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    const answer = world.answer.bind(world);
    world.answer = async (to, input, init) => {
      if (input.endsWith("/sign-out")) {
        // The link takes longer to come back than the edge needs to end the session.
        device.line.cut();
        must(await olga.workspace.commands.post(GENERAL, "typed while signing out"));
        device.line.restore();
      }
      return answer(to, input, init);
    };
    must(await world.during(second.client.account.signOut("none")));
    expect(await world.during(heldMessages(device, GENERAL_ROOM))).toEqual([]);
    must(await world.during(second.client.account.refresh()));
    second.client.open("team")?.commands.look(GENERAL);
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).length === 1);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["typed while signing out"]);
    await world.close();
  });

  it("takes nothing that another tab stored in the last moment, before it had heard of it", async () => {
    const { world, olga, device } = await scene();
    const second = await world.during(device.open());
    // The tab hears nothing of the others, and holds the database without saying so.
    olga.rig.holdNoDatabase();
    olga.rig.hang();
    const written: { readonly text: string; readonly answer: ReturnType<typeof olga.workspace.commands.post> }[] = [];
    const restore = whenTaken(device, (step) => {
      const text = `typed at ${step}`;
      written.push({ text, answer: olga.workspace.commands.post(GENERAL, text) });
    });
    must(await world.during(second.client.account.signOut("none")));
    restore();
    must(await world.during(second.client.account.refresh()));
    second.client.open("team")?.commands.look(GENERAL);
    await world.until("live", () => second.client.open("team")?.connection.snapshot().state === "live");
    // A database that is being taken is waited for.
    const answers = await world.during(Promise.all(written.map(({ answer }) => answer)));
    const accepted = written.filter((_, i) => answers[i]?.ok).map(({ text }) => text);
    expect(accepted).not.toEqual([]);
    // What a tab stored without a word is looked for every 20 s.
    await world.until("found", () => textsIn(world, GENERAL_ROOM).length >= accepted.length);
    await world.pass(30_000, 500);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(accepted);
    await world.close();
  });

  it("takes the end of a draft along, for what was sent must not come back into the composer", async () => {
    const { world, olga, device } = await scene();
    must(await world.during(olga.workspace.commands.setDraft(GENERAL, "half a thought")));
    await world.pass(60_000, 500);
    const second = await world.during(device.open());
    olga.rig.holdNoDatabase();
    olga.rig.hang();
    const restore = whenTaken(device, () => void olga.workspace.commands.setDraft(GENERAL, ""));
    must(await world.during(second.client.account.signOut("none")));
    restore();
    must(await world.during(second.client.account.refresh()));
    const workspace = second.client.open("team");
    const draft = workspace?.draft(GENERAL);
    draft?.subscribe(() => undefined);
    workspace?.commands.look(GENERAL);
    await world.until("live", () => workspace?.connection.snapshot().state === "live");
    await world.pass(60_000, 500);
    expect(draft?.snapshot()).toMatchObject({ state: "ready", value: "" });
    await world.close();
  });

  it("takes a draft along: to the other devices first, and where that can't be, it stays", async () => {
    const { world, olga, device } = await scene();
    const { setDraft } = olga.workspace.commands;
    must(await world.during(setDraft(GENERAL, "half a thought")));
    must(await world.during(olga.client.account.signOut("none")));
    expect((await world.during(device.databases.databases())).map(({ name }) => name)).toEqual(["causeway"]);
    const back = async (): Promise<string> => {
      must(await world.during(olga.client.account.refresh()));
      const draft = olga.client.open("team")?.draft(GENERAL);
      draft?.subscribe(() => undefined);
      const text = (): string => {
        const now = draft?.snapshot();
        return now?.state === "ready" ? now.value : "";
      };
      await world.until("the draft is there", () => text() !== "");
      return text();
    };
    expect(await back()).toBe("half a thought");
    const long = "long ".repeat(4_000);
    const again = olga.client.open("team");
    must(await world.during(again?.commands.setDraft(GENERAL, long) ?? Promise.reject(new Error("no workspace"))));
    must(await world.during(olga.client.account.signOut("none")));
    expect(await back()).toBe(long);
    await world.close();
  });
});

describe("signing out with a queue", () => {
  it("kept, it stays on the device without anything one could read, and goes when the person is back", async () => {
    const { world, olga, device } = await scene();
    must(await world.during(olga.workspace.commands.post(GENERAL, "delivered")));
    await drain(world, olga);
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "kept")));
    device.line.restore();
    must(await world.during(olga.client.account.signOut("keep")));
    expect(olga.client.account.session.snapshot()).toEqual({ state: "nobody" });
    expect(await world.during(heldMessages(device, GENERAL_ROOM))).toEqual([]);
    expect(await world.during(heldOps(device))).toMatchObject([{ op: "message.post", args: { text: "kept" } }]);

    must(await world.during(olga.client.account.refresh()));
    const workspace = olga.client.open("team");
    if (workspace === null) throw new Error("olga has no workspace");
    workspace.outbox.subscribe(() => undefined);
    workspace.commands.look(GENERAL);
    device.line.cut();
    await world.pass(20_000, 250);
    // Nothing is here that could be up to date.
    expect(workspace.connection.snapshot().state).toBe("offline");
    expect(workspace.liveAt.snapshot()).toBeNull();
    device.line.restore();
    olga.rig.happen("online");
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).length === 2);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["delivered", "kept"]);
    await world.close();
  });
});

describe("what isn't delivered", () => {
  it("is counted over all workspaces as it goes, and can be taken away as lines", async () => {
    const { world, olga, device } = await scene();
    const unsent = await world.during(olga.client.account.unsent());
    unsent.subscribe(() => undefined);
    const waitingCount = (): number | null => {
      const now = unsent.snapshot();
      return now.state === "ready" ? now.value.waiting.size : null;
    };
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "one")));
    must(await world.during(olga.workspace.commands.post(GENERAL, "two")));
    await world.until("counted", () => waitingCount() === 2);
    const lines = (await world.during(olga.client.account.exportUnsent())).map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { kind: "causeway-device", person: "olga@team.example" },
      { kind: "op", op: "message.post", args: { text: "one" } },
      { kind: "op", op: "message.post", args: { text: "two" } },
    ]);
    device.line.restore();
    olga.rig.happen("online");
    await world.until("through", () => waitingCount() === 0);
    must(await world.during(olga.client.account.signOut("none")));
    await world.close();
  });
});

describe("several people", () => {
  it("[OP11] what one wrote is never sent under another, and waits until they are back", async () => {
    const { world, olga, device } = await scene();
    device.line.cut();
    must(await world.during(olga.workspace.commands.post(GENERAL, "olga's words")));
    device.account = MARA;
    device.line.restore();
    must(await world.during(olga.client.account.refresh()));
    const workspace = olga.client.open("team");
    if (workspace === null) throw new Error("mara has no workspace");
    const mara = { ...olga, workspace };
    workspace.outbox.subscribe(() => undefined);
    workspace.commands.look(GENERAL);
    await world.until("mara is live", () => workspace.connection.snapshot().state === "live");
    must(await world.during(workspace.commands.post(GENERAL, "mara's words")));
    await drain(world, mara);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["mara's words"]);

    device.account = OLGA;
    must(await world.during(olga.client.account.refresh()));
    const again = olga.client.open("team");
    if (again === null) throw new Error("olga has no workspace");
    again.outbox.subscribe(() => undefined);
    again.commands.look(GENERAL);
    await world.until("delivered", () => textsIn(world, GENERAL_ROOM).length === 2);
    await world.until("the outbox empty", () => items({ ...olga, workspace: again }).length === 0);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["mara's words", "olga's words"]);
    await world.close();
  });
});

describe("a browser that keeps nothing", () => {
  it("has each tab lead for itself: what one holds in memory no other has", async () => {
    const { world } = await scene();
    const device = await world.device(MARA);
    vi.spyOn(device.databases, "open").mockImplementation(() => {
      throw new DOMException("not here", "SecurityError");
    });
    const tabs = [await world.during(device.open()), await world.during(device.open())];
    const views = tabs.map((tab) => watch(tab));
    await world.until("live", () => tabs.every(isLive));
    must(await world.during(tabs[1]!.workspace.commands.post(GENERAL, "from the second")));
    await world.until("shown in both", () => views.every((view) => view.texts().includes("from the second")));
    await world.close();
  });
});

describe("what one person's screens hold", () => {
  it("may still be let go of after somebody else has come", async () => {
    const { world, olga } = await scene();
    must(await world.during(olga.client.account.signOut("discard")));
    // The platform's own channel throws once it is closed, as the one here does.
    expect(() => olga.workspace.commands.look(null)).not.toThrow();
    expect(() => olga.workspace.commands.typing(GENERAL)).not.toThrow();
    await world.close();
  });
});

/** Just before the person's database is opened or removed by anybody. Answers how to end it. */
function whenTaken({ databases }: Device, run: (step: string) => void): () => void {
  for (const step of ["open", "deleteDatabase"] as const) {
    const take = databases[step].bind(databases) as (...args: unknown[]) => IDBOpenDBRequest;
    vi.spyOn(databases, step).mockImplementation((...args: unknown[]) => {
      if (args[0] === "causeway/causeway/olga") run(step);
      return take(...args);
    });
  }
  return () => void vi.restoreAllMocks();
}
