import { IDBFactory } from "fake-indexeddb";
import { expect, test } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { besideDisk } from "../store/beside.ts";
import { COPIED, openIndex, type Beside } from "../store/index-database.ts";
import { memoryNotes } from "../test/node-ports.ts";
import { forgetBeside } from "./forget-beside.ts";

const OLGA = "olga" as UserId;
const NAME = "causeway/causeway/olga";
const PLACE = `${COPIED}olga`;
const COPY: Beside = { places: { place: "Half" }, version: 9 };

/** What stands in both then, where the browser's storage bore `bears` and the copy was that of `COPY`. */
async function forgotten(
  bears: string | null,
  isGivenUp: boolean,
  isGone = true,
): Promise<readonly [Beside | undefined, unknown]> {
  const index = await openIndex(new IDBFactory());
  await besideDisk(index.begin!, NAME).write(COPY);
  const notes = memoryNotes();
  if (bears !== null) notes().setItem(PLACE, bears);
  await forgetBeside({ index, notes, now: () => 20 }, NAME, OLGA, { isGivenUp, isGone });
  const copy = await index.beside(NAME);
  index.close();
  return [copy, notes().getItem(PLACE)];
}

test("what nothing was given up of stands, and isn't taken for that of a killed browser by who signs in again", async () => {
  expect(await forgotten("9", false)).toEqual([{ ...COPY, version: 20, clearedAt: 20 }, "20"]);
  expect(await forgotten("12", false)).toEqual([{ ...COPY, version: 20, clearedAt: 20 }, "20"]);
});

test("a storage from before the copy is made what that says at the next start all the same", async () => {
  expect(await forgotten("3", false)).toEqual([{ ...COPY, version: 20, clearedAt: 20 }, "3"]);
  expect(await forgotten(null, false)).toEqual([{ ...COPY, version: 20, clearedAt: 20 }, null]);
});

test("what was given up is in no copy", async () => {
  expect((await forgotten("9", true))[0]).toEqual({ places: {}, version: 20, clearedAt: 20, givenUpAt: 20 });
  // Nor where something that was written since waits on.
  expect((await forgotten("9", true, false))[0]).toEqual({ places: {}, version: 20, givenUpAt: 20 });
});
