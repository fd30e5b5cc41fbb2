import { expect, it } from "vitest";
import { drain, GENERAL_ROOM, must, scene } from "../test/sim/scene.ts";
import { messagesIn } from "../test/sim/verdict.ts";
import { GENERAL } from "../test/sim/world.ts";
import { messageActions } from "./channel-actions.ts";

it("what was to be an edit goes as a message of its own, and the draft in the composer stays", async () => {
  const { world, olga } = await scene();
  const { commands } = olga.workspace;
  const timeline = olga.workspace.timeline(GENERAL);
  const nothing = (): void => undefined;
  const around = {
    onUnread: nothing,
    onReply: nothing,
    onEdit: nothing,
    onGoTo: nothing,
    onNotice: nothing,
  };
  const actions = messageActions({ channel: GENERAL, commands, timeline, linkTo: String, ...around });
  const draft = olga.workspace.draft(GENERAL);
  draft.subscribe(nothing);
  must(await world.during(commands.setDraft(GENERAL, "half a thought")));

  expect(await world.during(actions.post("a whole one"))).toBe(true);
  await drain(world, olga);
  expect(messagesIn(world, GENERAL_ROOM).at(-1)).toMatchObject({ text: "a whole one" });
  expect(draft.snapshot()).toEqual({ state: "ready", value: "half a thought" });
  await world.close();
});
