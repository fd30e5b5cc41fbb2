// A disk that has no room for what is written until some was made.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GENERAL } from "../test/sim/world.ts";
import { drain, GENERAL_ROOM, must, scene, textsIn } from "../test/sim/scene.ts";

/** So many of the next writes to the outbox find the disk full. */
let refusals: number;
let refused: () => void;

beforeEach(() => {
  refused = () => undefined;
  const add = Reflect.get(IDBObjectStore.prototype, "add") as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
  vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(function (this: IDBObjectStore, value, key) {
    if (this.name === "outbox" && refusals > 0) {
      refusals -= 1;
      refused();
      throw new DOMException("No space left", "QuotaExceededError");
    }
    return add.call(this, value, key);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([1, 2, 3])("no message overtakes another that waits for room on the disk: %i writes fail", async (count) => {
  const { world, olga } = await scene();
  const { post } = olga.workspace.commands;
  refusals = count;
  const posting = ["one", "two", "three"].map((text) => post(GENERAL, text));
  for (const result of await world.during(Promise.all(posting))) must(result);
  await drain(world, olga);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two", "three"]);
  await world.close();
});

it("a draft that is sent doesn't come back, though it was stored only when there was room again", async () => {
  const { world, olga } = await scene();
  const { post, setDraft } = olga.workspace.commands;
  const draft = olga.workspace.draft(GENERAL);
  draft.subscribe(() => undefined);
  refusals = 1;
  const isRefused = new Promise<void>((resolve) => {
    refused = resolve;
  });
  const drafted = setDraft(GENERAL, "half a thought");
  await isRefused;
  const posted = post(GENERAL, "half a thought", undefined, undefined, "half a thought");
  must(await world.during(drafted));
  must(await world.during(posted));
  await drain(world, olga);
  expect(draft.snapshot()).toEqual({ state: "ready", value: "" });
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["half a thought"]);
  await world.close();
});
