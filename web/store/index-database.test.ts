import { IDBFactory } from "fake-indexeddb";
import { expect, it } from "vitest";
import { besideDisk } from "./beside.ts";
import { openIndex, type KnownSession } from "./index-database.ts";

const OLGA: KnownSession = {
  state: "signed-in",
  person: { user: "olga" as KnownSession["person"]["user"], name: "Olga", email: "olga@people.example" },
  workspaces: [],
};

it("taken away it is lost until somebody is known again, whoever stores a copy in the one that takes its place", async () => {
  const factory = new IDBFactory();
  const index = await openIndex(factory);
  await index.putSession("olga", OLGA);
  await new Promise((resolve) => factory.deleteDatabase("causeway").addEventListener("success", resolve));
  await besideDisk(index.begin!, "olga").write({ places: {}, version: 1 });
  expect([index.isLost(), (await index.read()).last]).toEqual([true, null]);
  await index.putSession("olga", OLGA);
  expect([index.isLost(), (await index.read()).last]).toEqual([false, OLGA]);
  index.close();
});
