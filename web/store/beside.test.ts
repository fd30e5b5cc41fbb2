import { IDBFactory } from "fake-indexeddb";
import { expect, it } from "vitest";
import { besideDisk } from "./beside.ts";
import { openIndex } from "./index-database.ts";

it("holds the latest copy of each person, and says what stood in the way of an earlier one", async () => {
  const { begin, beside, leave, close } = await openIndex(new IDBFactory());
  const [olga, mara] = [besideDisk(begin!, "olga"), besideDisk(begin!, "mara")];
  const copy = (version: number) => ({ places: { place: `of ${version}` }, version });
  expect([await olga.read(), await olga.write(copy(5))]).toEqual([undefined, null]);
  expect([await olga.write(copy(4)), await olga.write(copy(5))]).toEqual([5, 5]);
  expect([await mara.write(copy(3)), await olga.write(copy(6))]).toEqual([null, null]);
  // What wasn't given up stays its person's.
  await leave((tx) => tx.objectStore("people").delete("olga"));
  expect([await olga.read(), await beside("olga"), await mara.read()]).toEqual([copy(6), copy(6), copy(3)]);
  close();
});

it("keeps that somebody left, and gave up what they held, under the copy of a tab that hears of it late", async () => {
  const { begin, close } = await openIndex(new IDBFactory());
  const olga = besideDisk(begin!, "olga");
  await olga.write({ places: {}, version: 5, clearedAt: 4, givenUpAt: 4 });
  await olga.write({ places: { place: "of 6" }, version: 6 });
  expect(await olga.read()).toEqual({ places: { place: "of 6" }, version: 6, clearedAt: 4, givenUpAt: 4 });
  close();
});

it("keeps the later of two sign-outs, too, whoever of two tabs knows only the earlier", async () => {
  const { begin, close } = await openIndex(new IDBFactory());
  const olga = besideDisk(begin!, "olga");
  await olga.write({ places: {}, version: 20, clearedAt: 20, givenUpAt: 20 });
  await olga.write({ places: {}, version: 21, clearedAt: 5, givenUpAt: 5 });
  expect(await olga.read()).toEqual({ places: {}, version: 21, clearedAt: 20, givenUpAt: 20 });
  close();
});
