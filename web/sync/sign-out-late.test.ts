// "Who am I" was asked of the edge, hangs, and is answered in the moment in which one signs out; or a tab is opened then.
import { expect, test } from "vitest";
import { failure, problemOf } from "#protocol/errors.ts";
import { settled } from "../store/database.ts";
import { must, scene } from "../test/sim/scene.ts";

type Scene = Awaited<ReturnType<typeof scene>>;

const QUEUES = ["none", "discard", "keep"] as const;
/** Behind the edge's answer to the sign-out; ms. */
const LATE_MS = [0, 2, 10, 50];
/** Of the event loop, behind the same. */
const LATE_TURNS = [0, 2, 5, 10, 20, 40];

test.each(QUEUES.flatMap((queue) => LATE_MS.map((lateMs) => [queue, lateMs] as const)))(
  "who signed out (%s) stays signed out, and nothing of theirs comes back, where that answer comes %s ms later",
  async (queue, lateMs) => {
    const here = await scene();
    await signedOut(here, queue, lateMs, here.olga);
    expect(await standing(here, queue)).toEqual(GONE);
    await here.world.close();
  },
);

test.each(
  QUEUES.flatMap((queue) => LATE_MS.flatMap((lateMs) => [200, 401].map((status) => [queue, status, lateMs] as const))),
)("and so (%s) where it was another tab's, a %i, %s ms later", async (queue, status, lateMs) => {
  const here = await scene();
  const other = await here.world.during(here.device.open());
  await here.world.pass(2_000);
  await signedOut(here, queue, lateMs, other, status === 200 ? undefined : noSession);
  expect(await standing(here, queue)).toEqual(GONE);
  await here.world.close();
});

test.each(QUEUES.flatMap((queue) => LATE_TURNS.map((turns) => [queue, turns] as const)))(
  "and so (%s) where a tab is opened %s turns before the sign-out goes on here",
  async (queue, turns) => {
    const here = await scene();
    const { world, olga, device } = here;
    const answer = world.answer.bind(world);
    let opening: Promise<unknown> | null = null;
    world.answer = async (of, input, init) => {
      const { pathname } = new URL(input);
      if (pathname === "/api/auth/sign-out") {
        // Nobody is here for whom it opens: the scene finds no workspace.
        opening = device.open().catch(() => null);
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
        return Response.json({ success: true });
      }
      if (opening === null || !["/api/me", "/api/rooms/auth"].includes(pathname)) return answer(of, input, init);
      await world.pause(5);
      return noSession();
    };
    must(await world.during(olga.client.account.signOut(queue)));
    await world.during(opening!);
    await world.pass(3_000);
    expect(await standing(here, queue)).toEqual(GONE);
    await world.close();
  },
);

const noSession = (): Response => Response.json(problemOf(failure("unauthenticated")), { status: 401 });

/** While what `asker` asked hangs. */
async function signedOut(
  { world, olga }: Scene,
  queue: (typeof QUEUES)[number],
  lateMs: number,
  asker: Scene["olga"],
  instead?: () => Response,
): Promise<void> {
  const answer = world.answer.bind(world);
  const hangs = Promise.withResolvers<void>();
  world.answer = async (of, input, init) => {
    const { pathname } = new URL(input);
    const response = await answer(of, input, init);
    if (pathname === "/api/auth/sign-out") setTimeout(hangs.resolve, lateMs);
    if (pathname !== "/api/me") return response;
    await hangs.promise;
    return instead?.() ?? response;
  };
  const refreshed = asker.client.account.refresh();
  await world.pass(100);
  must(await world.during(olga.client.account.signOut(queue)));
  await world.during(hangs.promise);
  await world.during(refreshed);
  await world.pass(3_000);
}

const GONE = { tabs: new Set(["nobody"]), last: undefined, theirs: false };

/** What a device knows of a person; their database stays only where its queue is kept. */
async function standing({ device }: Scene, queue: (typeof QUEUES)[number]): Promise<unknown> {
  const names = (await device.databases.databases()).map(({ name }) => name);
  const index = await settled(device.databases.open("causeway"));
  const last = await settled(index.transaction("meta").objectStore("meta").get("last"));
  index.close();
  const tabs = new Set(device.tabs.map((tab) => tab.client.account.session.snapshot().state));
  return { tabs, last, theirs: queue !== "keep" && names.length > 1 };
}
