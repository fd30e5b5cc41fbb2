// Whose words are put back where a database went while the app ran, and whose aren't.
import { IDBFactory } from "fake-indexeddb";
import { expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { databaseOf, openIndex, type Index, type KnownSession } from "../store/index-database.ts";
import { cell } from "../store/source.ts";
import type { UpdateSnapshot } from "./client.ts";
import { leaveIndex } from "./leavings.ts";
import { recover, type Loss } from "./recover.ts";

const OLGA: KnownSession = {
  state: "signed-in",
  person: { user: "olga" as UserId, name: "Olga", email: "olga@people.example" },
  workspaces: [],
};
const NAME = databaseOf(OLGA);

interface Site {
  readonly index: Index;
  readonly loss: Loss;
  /** Another tab's. */
  readonly other: Index;
}

/** Olga is here in two tabs, and her database has just gone. */
async function site(isOver = false): Promise<Site> {
  const factory = new IDBFactory();
  const index = await openIndex(factory);
  await index.putSession(NAME, OLGA);
  await index.read();
  const update = cell<UpdateSnapshot>({ isReady: false, isNeeded: false, notice: null });
  const loss: Loss = {
    factory,
    name: NAME,
    session: OLGA,
    index,
    workspaces: new Map(),
    synced: [],
    update,
    ports: {
      newId: () => "id",
      openBus: () => ({ send: () => undefined, listen: () => () => undefined, close: () => undefined }),
    },
    onClosed: () => undefined,
    isOver: () => isOver,
    care: null,
    lead: undefined,
  };
  return { index, loss, other: await openIndex(factory) };
}

it("puts back what is hers while she is here", async () => {
  const { loss } = await site();
  (await recover(loss)).close();
});

it("puts back nothing of who signed out in another tab and is here again: they may have given it up", async () => {
  const { index, loss, other } = await site();
  await leaveIndex(other, NAME, true);
  await other.putSession(NAME, OLGA);
  await expect(recover(loss)).rejects.toThrow("signed out");
  // Its account has still to hear of it.
  expect(await index.read()).toMatchObject({ hasLeft: true });
});

it("nor of who has left in this tab by then", async () => {
  const { loss } = await site(true);
  await expect(recover(loss)).rejects.toThrow("signed out");
});
