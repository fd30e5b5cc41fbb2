// Takes everything of ours out of this browser's databases, whether or not it can be read. The notes of what waited stay:
// where it can't be read, they are all that is left of it.
import { faultOf } from "../store/database.ts";
import { searchDatabase } from "../store/remove-database.ts";
import { personNames } from "../store/person-names.ts";
import { notedPeople } from "../sync/waiting.ts";

const OURS = /^causeway(?:$|[./])/;
/** That aren't a person's: the one they share, and what is set aside or written for the browser's sake. */
const SHARED = ["causeway", "causeway.reserve", "causeway.log"];

/** Fails where one can't be removed; the others are. @param noted the keys of all notes beside them */
export async function removeDevice(factory: IDBFactory, noted: readonly string[]): Promise<void> {
  // Firefox (153) lists none where the file of one can't be read: without that, it does.
  const listed = await listOurs(factory).catch(() => null);
  if (listed === null) await removeAll(factory, await namesKnown(factory, noted));
  await removeAll(factory, listed ?? (await listOurs(factory)));
}

async function removeAll(factory: IDBFactory, names: readonly string[]): Promise<void> {
  const removing = names.map((name) => removed(factory, name));
  for (const each of await Promise.allSettled(removing)) if (each.status === "rejected") throw each.reason;
}

async function listOurs(factory: IDBFactory): Promise<readonly string[]> {
  return (await factory.databases()).map(({ name = "" }) => name).filter((name) => OURS.test(name));
}

async function namesKnown(factory: IDBFactory, noted: readonly string[]): Promise<readonly string[]> {
  const people = new Set([...(await personNames(factory, noted)), ...notedPeople(noted)]);
  return [...[...people].flatMap((name) => [name, searchDatabase(name)]), ...SHARED];
}

/** One that another tab holds goes when that tab does; there is nothing to wait for. */
function removed(factory: IDBFactory, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = factory.deleteDatabase(name);
    for (const type of ["success", "blocked"]) request.addEventListener(type, () => resolve(), { once: true });
    request.addEventListener("error", () => reject(faultOf(request)), { once: true });
  });
}
