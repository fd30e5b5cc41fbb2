// What is counted of other workspaces, as it comes and goes in whichever tab.
import "fake-indexeddb/auto";
import type { ChannelId, OpId, WorkspaceId } from "#protocol/ids.ts";
import { expect, test } from "vitest";
import { createProfile } from "../test/node-ports.ts";
import { elsewhereView } from "./elsewhere.ts";
import { openStore } from "./open-store.ts";
import { appendOp, readOp, refuseOp, removeOp } from "./outbox.ts";
import { channelRoom } from "./rooms.ts";
import { signal } from "./source.ts";
import type { WriteTx } from "./tx.ts";

const [HERE, THERE] = ["w-here", "w-there"] as [WorkspaceId, WorkspaceId];
const GENERAL = "general" as ChannelId;

test("counts what waits and was refused in other workspaces, and follows it", async () => {
  const { ports } = createProfile({ origin: "http://test" }).openTab();
  const store = await openStore(ports.indexedDB, "causeway/test/me", ports.openBus("test"), () => undefined);
  const write = (body: (tx: WriteTx) => Promise<unknown>): Promise<unknown> =>
    store.write({ tables: ["outbox"], durability: "strict" }, body);
  const post = (id: string, workspace: WorkspaceId): Promise<unknown> =>
    write((tx) =>
      appendOp(tx, {
        room: channelRoom(workspace, GENERAL),
        id: id as OpId,
        op: "channel.join",
        args: { id: GENERAL },
        at: 1,
      }),
    );
  await post("a", THERE);
  const readings = signal();
  const view = elsewhereView({
    store,
    replica: { workspace: HERE, readings },
    report: (error) => expect.unreachable(String(error)),
  });
  expect(view.snapshot()).toEqual([]);
  const stop = view.subscribe(() => undefined);
  await expect.poll(view.snapshot).toEqual([{ workspace: THERE, waitingCount: 1, refusedCount: 0 }]);
  await post("b", THERE);
  await post("c", HERE);
  await expect.poll(view.snapshot).toEqual([{ workspace: THERE, waitingCount: 2, refusedCount: 0 }]);
  await write(async (tx) => {
    const op = await readOp(tx, "a" as OpId);
    if (op !== undefined) refuseOp(tx, op, { code: "archived", detail: "#docks is archived." });
  });
  await expect.poll(view.snapshot).toEqual([{ workspace: THERE, waitingCount: 1, refusedCount: 1 }]);
  for (const id of ["a", "b"]) {
    await write(async (tx) => {
      const op = await readOp(tx, id as OpId);
      if (op !== undefined) removeOp(tx, op);
    });
  }
  await expect.poll(view.snapshot).toEqual([]);
  stop();
  store.close();
});
