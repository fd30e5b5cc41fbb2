// A room that fails on an op again and again: its number is skipped, and it is shown as what it is ([OP6]).
import { expect, it } from "vitest";
import { INTERNAL_TRIES } from "#protocol/limits.ts";
import { drain, GENERAL_ROOM, items, must, scene, textsIn, watch, type Scene } from "../test/sim/scene.ts";
import { heldMessages, heldOps } from "../test/sim/verdict.ts";
import { GENERAL } from "../test/sim/world.ts";

/** Each write of an op fails, the last of five tries as it is told. */
function breakRoom({ world }: Scene, last: "before" | "behind"): void {
  const { storage } = world.team.room();
  const commit = storage.commit.bind(storage);
  let tries = 0;
  storage.commit = async (puts, deletes) => {
    const isOp = Object.keys(puts).some((row) => row.startsWith("d:"));
    tries += isOp ? 1 : 0;
    if (!isOp || tries > INTERNAL_TRIES) return commit(puts, deletes);
    if (tries === INTERNAL_TRIES && last === "behind") await commit(puts, deletes);
    throw new Error("The disk fails");
  };
}

it("[OP6] an op whose last try was done is shown as delivered, and nothing asks for attention", async () => {
  const made = await scene();
  const { world, olga } = made;
  const view = watch(olga);
  breakRoom(made, "behind");
  const shown: boolean[] = [];
  view.timeline.subscribe(() => shown.push(view.texts().includes("done all the same")));
  must(await world.during(olga.workspace.commands.post(GENERAL, "done all the same")));
  await drain(world, olga);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["done all the same"]);
  await world.until("sent", () => view.rows().at(-1)?.delivery === "sent");
  expect(view.rows().at(-1)).toMatchObject({ text: "done all the same" });
  // From its beginning on, without a gap.
  expect(shown.slice(shown.indexOf(true))).not.toContain(false);
  await world.close();
});

it("[OP6] an edit on top of one that was done all the same isn't taken for one that hadn't seen it", async () => {
  const made = await scene();
  const { world, olga } = made;
  const { post, edit } = olga.workspace.commands;
  const view = watch(olga);
  const id = must(await world.during(post(GENERAL, "first")));
  await drain(world, olga);
  breakRoom(made, "behind");
  must(await world.during(edit(GENERAL, id, "second")));
  must(await world.during(edit(GENERAL, id, "third")));
  await world.pass(300);
  must(await world.during(edit(GENERAL, id, "fourth")));
  await drain(world, olga);
  await world.until("shown", () => view.texts().includes("fourth"));
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["fourth"]);
  expect(view.rows().at(-1)).not.toHaveProperty("replaced");
  await world.close();
});

it("[OP6] an op that was never done stays in the Outbox with the error's reference, and can be tried again", async () => {
  const made = await scene();
  const { world, olga } = made;
  breakRoom(made, "before");
  must(await world.during(olga.workspace.commands.post(GENERAL, "not yet")));
  await world.until("refused", () => items(olga)[0]?.delivery === "refused");
  expect(items(olga)[0]?.refusal).toMatchObject({ code: "internal" });
  expect(items(olga)[0]?.refusal).not.toHaveProperty("maybeDelivered");
  expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
  must(await world.during(olga.workspace.commands.retry(items(olga)[0]!.op)));
  await drain(world, olga);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["not yet"]);
  await world.close();
});

it("[OP6] [OP8] also without a tab what was done all the same leaves the outbox once, and what is behind it goes", async () => {
  const made = await scene();
  const { world, olga, device } = made;
  device.line.cut();
  for (const text of ["one", "two"]) must(await world.during(olga.workspace.commands.post(GENERAL, text)));
  device.crash(olga);
  device.line.restore();
  breakRoom(made, "behind");
  expect(await world.during(device.deliver())).toBe("done");
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
  expect(await world.during(heldOps(device))).toEqual([]);
  const held = await world.during(heldMessages(device, GENERAL_ROOM));
  expect(held.flatMap((each) => (each.deleted || each.system ? [] : [each.text]))).toEqual(["one", "two"]);
  await world.close();
});
