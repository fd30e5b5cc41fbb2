// "Who am I" was asked of the edge, hangs, and is answered in the moment in which one signs out.
import { expect, test } from "vitest";
import { settled } from "../store/database.ts";
import { must, scene } from "../test/sim/scene.ts";

const QUEUES = ["none", "discard", "keep"] as const;
/** Behind the edge's answer to the sign-out; ms. */
const LATE_MS = [0, 2, 10];

test.each(QUEUES.flatMap((queue) => LATE_MS.map((lateMs) => [queue, lateMs] as const)))(
  "who signed out (%s) stays signed out, and nothing of theirs comes back, where that answer comes %s ms later",
  async (queue, lateMs) => {
    const { world, olga, device } = await scene();
    const answer = world.answer.bind(world);
    const hangs = Promise.withResolvers<void>();
    world.answer = async (of, input, init) => {
      const { pathname } = new URL(input);
      const response = await answer(of, input, init);
      if (pathname === "/api/me") await hangs.promise;
      if (pathname === "/api/auth/sign-out") setTimeout(hangs.resolve, lateMs);
      return response;
    };
    const refreshed = olga.client.account.refresh();
    await world.pass(100);
    must(await world.during(olga.client.account.signOut(queue)));
    await world.during(hangs.promise);
    await world.during(refreshed);
    await world.pass(1_000);
    expect(olga.client.account.session.snapshot().state).toBe("nobody");
    const names = (await device.databases.databases()).map(({ name }) => name);
    if (queue !== "keep") expect(names).toEqual(["causeway"]);
    const index = await settled(device.databases.open("causeway"));
    expect(await settled(index.transaction("meta").objectStore("meta").get("last"))).toBeUndefined();
    index.close();
    await world.close();
  },
);
