// One tab, and several workspaces of its person.
import { expect, it } from "vitest";
import type { WorkspaceId } from "#protocol/ids.ts";
import { GENERAL } from "../test/sim/world.ts";
import { OLGA, scene } from "../test/sim/scene.ts";
import type { TabMessage } from "./tab-messages.ts";

it("a tab that goes to another workspace looks there, though the channel it leaves takes its leave behind that", async () => {
  const { world, olga } = await scene();
  const { workspaces, user } = world.me(OLGA);
  const quay = { id: "quay" as WorkspaceId, slug: "quay", name: "Quay", role: "member" } as const;
  world.me = () => ({ user, workspaces: [...workspaces, quay] });
  await world.during(olga.client.account.refresh());
  const looks: string[] = [];
  const bus = olga.rig.ports.openBus("causeway/causeway/olga");
  bus.listen((message) => {
    const said = message as TabMessage;
    if (said.type === "look") looks.push(said.workspace);
  });

  const other = olga.client.open("quay");
  other?.connection.subscribe(() => undefined);
  olga.workspace.commands.look(null);
  // Nobody lets her in, but that is known only where somebody asked.
  await world.until("asked for", () => other?.connection.snapshot().state === "refused", 30_000);
  expect(looks.at(-1)).toBe("quay");

  olga.client.open("team");
  other?.commands.look(null);
  await world.pass(100);
  expect(looks.at(-1)).toBe("w");
  olga.workspace.commands.look(GENERAL);
  olga.workspace.commands.look(null);
  await world.pass(100);
  expect(looks.at(-1)).toBe("w");
  bus.close();
  await world.close();
});
