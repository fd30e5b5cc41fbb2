// Taken out of a private channel and put back within moments, while writing there.
import { expect, it } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { drain, isLive, items, MARA, must, row, secret, textsIn, watch, type Secret } from "../test/sim/scene.ts";
import { seeded, type Seeded } from "../test/sim/seeded.ts";
import { GENERAL } from "../test/sim/world.ts";

const roomOf = (channel: ChannelId): RoomName => `channel:w_${channel}` as RoomName;

/** Out, and in again when so many ms have passed. */
async function outAndIn({ world, olga, channel }: Secret, ms: number): Promise<void> {
  const { changeMembers } = olga.workspace.commands;
  must(await world.during(changeMembers(channel, { remove: [MARA] })));
  await drain(world, olga);
  await world.pass(ms, 5);
  must(await world.during(changeMembers(channel, { add: [MARA] })));
  await drain(world, olga);
}

/** Mara writes and goes on writing; what was taken is told in order. */
function writes(made: Secret, random: Seeded): { readonly said: string[]; readonly stop: () => void } {
  const { world, mara, channel } = made;
  const said: string[] = [];
  let isOver = false;
  const write = async (): Promise<void> => {
    if (isOver) return;
    const text = `text ${said.length + 1}`;
    if ((await mara.workspace.commands.post(channel, text)).ok) said.push(text);
    world.town.later(20 + random.below(300), write);
  };
  world.town.later(1, write);
  return { said, stop: () => void (isOver = true) };
}

it.each(Array.from({ length: 24 }, (_, i) => i + 1))(
  "[OP7] [RV5] one who is taken out and put back while writing finds all of it in the channel, once and in order (seed %i)",
  async (seed) => {
    const made = await secret();
    const { world, mara, device, channel } = made;
    const random = seeded(seed);
    const view = watch(mara, channel);
    await world.pass(2_000);
    const writing = writes(made, random);
    await world.pass(random.below(500));
    const isAway = random.chance(0.4);
    // What was written is then still on its way when there is word of being out.
    if (random.chance(0.5)) device.line.slowUp(1);
    // Hearing of both at once, the room closes nothing.
    const told = random.chance(0.5) ? holdPolicies(world) : null;
    for (let round = 1 + random.below(3); round > 0; round -= 1) {
      if (isAway) device.line.cut();
      if (isAway && random.chance(0.5)) device.line.restore();
      await outAndIn(made, random.below(1_200));
      if (isAway) device.line.restore();
      mara.rig.happen("online");
      await world.pass(random.below(1_500));
    }
    told?.();
    await world.pass(1_000);
    writing.stop();
    await world.pass(10_000);
    expect(items(mara).map(({ refusal }) => refusal?.code)).toEqual([]);
    expect(textsIn(world, roomOf(channel))).toEqual(writing.said);
    expect(isLive(mara)).toBe(true);
    expect(view.texts()).toEqual(writing.said);
    await world.close();
  },
  60_000,
);

it("[AU4] one who stays out has what they wrote kept with its reason, and may send it when in again", async () => {
  const made = await secret();
  const { world, olga, mara, channel } = made;
  must(await world.during(olga.workspace.commands.changeMembers(channel, { remove: [MARA] })));
  must(await world.during(mara.workspace.commands.post(channel, "too late")));
  await world.until("refused", () => items(mara)[0]?.refusal?.code === "forbidden", 8_000);
  must(await world.during(olga.workspace.commands.changeMembers(channel, { add: [MARA] })));
  await world.until("in again", () => row(mara, "secret") !== undefined);
  await world.pass(5_000);
  expect(items(mara)).toHaveLength(1);
  const [item] = items(mara);
  must(await world.during(mara.workspace.commands.retry(item!.op)));
  await drain(world, mara);
  expect(textsIn(world, roomOf(channel))).toEqual(["too late"]);
  await world.close();
});

it("[AU4] a no on its way when there is word of the return is none: it is asked again", async () => {
  const { world, olga, mara, device, channel } = await secret();
  const authorize = world.authorize.bind(world);
  const answers: (() => void)[] = [];
  // Each answer is as true as when it was given, and as late as the test wants.
  world.authorize = async (user, asked) => {
    const answer = await authorize(user, asked);
    const isNo = answer.status === 403 && asked.room === roomOf(channel);
    if (isNo) await new Promise<void>((resolve) => answers.push(resolve));
    return answer;
  };
  device.line.cut();
  must(await world.during(mara.workspace.commands.post(channel, "waits")));
  must(await world.during(olga.workspace.commands.changeMembers(channel, { remove: [MARA] })));
  await drain(world, olga);
  device.line.restore();
  mara.rig.happen("online");
  await world.until("asked", () => answers.length > 0);
  must(await world.during(olga.workspace.commands.changeMembers(channel, { add: [MARA] })));
  await drain(world, olga);
  await world.until("in again", () => row(mara, "secret") !== undefined);
  for (const answer of answers) answer();
  await world.until("delivered", () => textsIn(world, roomOf(channel)).includes("waits"), 5_000);
  await drain(world, mara);
  await world.close();
});

it("[AU4] where the endpoint turns away who is in, nothing waits under Live: it is asked for what is written, and kept with its reason", async () => {
  const { world, channel } = await secret();
  const authorize = world.authorize.bind(world);
  let isOut = true;
  world.authorize = async (user, asked) => {
    const { room, rooms = [room] } = asked;
    if (!isOut || user !== MARA) return authorize(user, asked);
    return authorize(user, { ...asked, rooms: rooms.filter((each) => each !== roomOf(channel)) });
  };
  const mara = await world.during((await world.device(MARA)).open());
  await world.until("in", () => row(mara, "secret") !== undefined);
  mara.workspace.commands.look(channel);
  await world.pass(10_000);
  for (const text of ["one", "two"]) {
    must(await world.during(mara.workspace.commands.post(channel, text)));
    await world.until("kept", () => items(mara).at(-1)?.refusal?.code === "forbidden", 5_000);
  }
  isOut = false;
  must(await world.during(mara.workspace.commands.post(channel, "three")));
  await world.until("delivered", () => textsIn(world, roomOf(channel)).join() === "three", 5_000);
  await world.until("the others kept", () => items(mara).length === 2, 5_000);
  await world.close();
});

it("[AU7] what waits for a room that the endpoint gives no token for doesn't wait its turn, and goes when it does", async () => {
  const { world, channel } = await secret();
  let isFailing = true;
  answerFor(world, channel, () => (isFailing ? new Response("", { status: 500 }) : null));
  const mara = await world.during((await world.device(MARA)).open());
  await world.until("in", () => row(mara, "secret") !== undefined);
  must(await world.during(mara.workspace.commands.post(channel, "waits")));
  must(await world.during(mara.workspace.commands.post(GENERAL, "goes")));
  await world.until("the other gone", () => items(mara).length === 1, 30_000);
  await world.pass(1_000);
  expect(items(mara)).toMatchObject([{ channel, delivery: "queued", isRoomAway: true }]);
  expect(mara.workspace.connection.snapshot().state).toBe("catching-up");
  isFailing = false;
  await drain(world, mara);
  expect(textsIn(world, roomOf(channel))).toEqual(["waits"]);
  await world.close();
});

it("what waits for a room that is closed to this build is not called Live", async () => {
  const { world, channel } = await secret();
  const refused = { [roomOf(channel)]: { code: "upgrade_required", reason: "old" } };
  answerFor(world, channel, () => Response.json({ refused }, { status: 403 }));
  const mara = await world.during((await world.device(MARA)).open());
  await world.until("in", () => row(mara, "secret") !== undefined && isLive(mara));
  must(await world.during(mara.workspace.commands.post(channel, "waits")));
  await world.pass(5_000);
  expect(items(mara).map(({ refusal }) => refusal)).toEqual([undefined]);
  expect(isLive(mara)).toBe(false);
  await world.close();
});

/** What the endpoint answers where Mara asks for the channel among others; null for what it would. */
function answerFor(world: Secret["world"], channel: ChannelId, answer: () => Response | null): void {
  const authorize = world.authorize.bind(world);
  world.authorize = async (user, asked) => {
    const { room, rooms = [room] } = asked;
    const isHit = user === MARA && rooms.includes(roomOf(channel));
    return (isHit ? answer() : null) ?? authorize(user, asked);
  };
}

/** Channels' rooms hear of nothing until it is called. */
function holdPolicies({ town }: Secret["world"]): () => void {
  const told = Promise.withResolvers<void>();
  const call = town.call.bind(town);
  town.call = async (ref, method, action, body) => {
    if (action === "policy") await told.promise;
    return call(ref, method, action, body);
  };
  return told.resolve;
}
