// The database is gone at the next visit: what waited in it is known from the note beside it, and said; and nothing is said
// where nothing is lost.
import { describe, expect, it, vi } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { ended, openDatabase, settled } from "../store/database.ts";
import { personDatabase } from "../store/index-database.ts";
import { MIGRATIONS, type TableName } from "../store/schema.ts";
import { memoryNotes } from "../test/node-ports.ts";
import {
  drain,
  GENERAL_ROOM,
  isLive,
  items,
  MARA,
  must,
  OLGA,
  scene,
  textsIn,
  withAQueue,
  type Scene,
} from "../test/sim/scene.ts";
import { GENERAL, type Tab } from "../test/sim/world.ts";
import type { Notes } from "./ports.ts";
import { lostAsStored, readLost, readNote, type Lost } from "./waiting.ts";

const NAME = personDatabase(OWN_ISSUER, OLGA);
/** Longer than what seems lost is given to turn up. */
const LONG_MS = 20_000;

interface Noted extends Scene {
  readonly notes: Notes;
  readonly lost: () => Lost | null;
}

async function noted(begin = (notes: Notes): Promise<Scene> => scene(1, notes)): Promise<Noted> {
  const notes = memoryNotes();
  return { ...(await begin(notes)), notes, lost: () => readLost(lostAsStored(notes, NAME)) };
}

/** What waited was delivered without a tab, behind the note's back; then the data was cleared, and the network went away again before anything was known of that. */
async function deliveredAndGone(made: Noted): Promise<Tab> {
  const { world, olga, device } = made;
  await world.during(olga.client.close());
  device.line.restore();
  await world.during(device.deliver());
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
  await wipe(made);
  const again = await world.during(device.open());
  device.line.cut();
  return again;
}

/** The messages it was noted of, as the person brings them back. */
async function bringBack({ world, notes, lost }: Noted, { workspace }: Tab): Promise<readonly MessageId[]> {
  // The tab may have looked at the note by now.
  const texts = lost()?.texts ?? readNote(notes, NAME)?.texts ?? [];
  const posts = texts.flatMap((text) =>
    text.kind === "post" && text.message !== null ? [{ ...text, message: text.message }] : [],
  );
  for (const post of posts) must(await world.during(workspace.commands.postAgain(post)));
  return posts.map(({ message }) => message);
}

async function queueNoted(): Promise<Noted> {
  const made = await noted(withAQueue);
  await made.world.until("noted", () => readNote(made.notes, NAME)?.texts.length === 3);
  return made;
}

async function wipe({ world, device }: Noted): Promise<void> {
  for (const { name = "" } of await device.databases.databases()) {
    await world.during(
      new Promise<void>((resolve, reject) => {
        const request = device.databases.deleteDatabase(name);
        request.addEventListener("success", () => resolve());
        request.addEventListener("error", () => reject(new Error("not deleted")));
      }),
    );
  }
}

/** The database as it was before the last of what waits was written: a copy, or what a disk has kept that promised more. */
async function setBack({ device }: Noted): Promise<void> {
  const before = await settled(device.databases.open(NAME));
  const tables = [...before.objectStoreNames] as TableName[];
  const tx = before.transaction(tables);
  const rows = await Promise.all(
    tables.map((table) => settled(tx.objectStore(table).getAll() as IDBRequest<unknown[]>)),
  );
  before.close();
  await settled(device.databases.deleteDatabase(NAME));
  // A database that is only made begins with places of later.
  const clock = vi.spyOn(Date, "now").mockReturnValue(0);
  const db = await openDatabase(device.databases, NAME, MIGRATIONS, { onClosed: () => undefined });
  clock.mockRestore();
  const back = db.transaction(tables, "readwrite");
  const isLater = (row: unknown): boolean => /"two"|"half a thought"/.test(JSON.stringify(row));
  for (const [at, table] of tables.entries()) {
    for (const row of rows[at]!.filter((each) => !isLater(each))) back.objectStore(table).put(row);
  }
  await ended(back);
  db.close();
}

async function opened({ world, device }: Noted): Promise<Tab> {
  device.line.restore();
  const tab = await world.during(device.open());
  await world.until("live", () => isLive(tab));
  return tab;
}

const noticeOf = ({ client }: Tab): string | null => client.update.snapshot().notice;

describe("a database that is gone at the next visit", () => {
  it("says what waited in it, with the texts, and sends nothing by itself", async () => {
    const made = await queueNoted();
    const { world, olga, lost } = made;
    await world.during(olga.client.close());
    await wipe(made);
    const again = await opened(made);
    await world.until("said", () => noticeOf(again) === "unsent-gone");
    expect(lost()?.texts.map(({ kind, text }) => [kind, text])).toEqual([
      ["post", "one"],
      ["post", "two"],
      ["draft", "half a thought"],
    ]);
    await world.pass(LONG_MS, 500);
    expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
    expect(items(again)).toEqual([]);
    await world.close();
  });

  it("[OP14] what the person then sends leaves the list, and goes once even where it had been delivered", async () => {
    const made = await queueNoted();
    const { world, lost } = made;
    const again = await deliveredAndGone(made);
    await bringBack(made, again);
    // Pressed twice, or in two tabs.
    await bringBack(made, again);
    expect(items(again).length).toBe(2);
    made.device.line.restore();
    again.rig.happen("online");
    await drain(world, again);
    await world.until("known", () => lost() === null);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    expect(noticeOf(again)).toBeNull();
    await world.close();
  });

  it("[OP10] what the person edits or deletes while it is queued once more isn't lost where it had been delivered", async () => {
    const made = await queueNoted();
    const { world, device } = made;
    const again = await deliveredAndGone(made);
    const [one, two] = await bringBack(made, again);
    if (one === undefined || two === undefined) throw new Error("nothing was noted");
    const { commands } = again.workspace;
    must(await world.during(commands.edit(GENERAL, one, "one and a half")));
    must(await world.during(commands.remove(GENERAL, two)));
    device.line.restore();
    again.rig.happen("online");
    await drain(world, again);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one and a half"]);
    await world.close();
  });

  it("and so of one that came back as it was before: what it has goes by itself, the rest is said", async () => {
    const made = await queueNoted();
    const { world, olga, lost } = made;
    await world.during(olga.client.close());
    await world.during(setBack(made));
    const again = await opened(made);
    await world.until("said", () => noticeOf(again) === "unsent-gone");
    expect(lost()?.texts.map(({ kind, text }) => [kind, text])).toEqual([
      ["post", "two"],
      ["draft", "half a thought"],
    ]);
    await drain(world, again);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one"]);
    await world.close();
  });

  it("names whom the text names, though two of them are called the same", async () => {
    const { world, olga } = await scene();
    const { newMessageId, postAgain, textToEdit } = olga.workspace.commands;
    const namesake = { user: "other", name: "mara", role: "member", channels: [] };
    await world.during(world.team.call("POST", "members", namesake));
    await world.until("known", () => textToEdit("<@other>") === "@mara#other");
    const text = `<@other>, and <@${MARA}>`;
    const lost = { channel: GENERAL, message: newMessageId(), root: null, text, at: 1 };
    must(await world.during(postAgain(lost)));
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual([text]);
    await world.close();
  });
});

describe("says nothing", () => {
  it("of what was delivered without a tab, before the data was cleared", async () => {
    const made = await noted();
    const { world, olga, device, lost } = made;
    device.line.cut();
    for (const text of ["one", "two"]) must(await world.during(olga.workspace.commands.post(GENERAL, text)));
    await world.until("noted", () => readNote(made.notes, NAME)?.texts.length === 2);
    await world.during(olga.client.close());
    device.line.restore();
    await world.during(device.deliver());
    await wipe(made);
    const again = await opened(made);
    await world.pass(LONG_MS, 500);
    expect([lost(), noticeOf(again)]).toEqual([null, null]);
    await world.close();
  });

  it("of what was delivered, or given up, by others before the note could be brought up to date", async () => {
    const made = await queueNoted();
    const { world, olga, device, lost } = made;
    const { notes } = made;
    const note = notes().getItem(`causeway.waiting.${NAME}`) ?? "";
    must(await world.during(olga.workspace.commands.setDraft(GENERAL, "")));
    await world.during(olga.client.close());
    device.line.restore();
    await world.during(device.deliver());
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    device.line.cut();
    notes().setItem(`causeway.waiting.${NAME}`, note);
    const again = await world.during(device.open());
    await world.until("looked", () => readNote(notes, NAME) === null);
    await world.pass(LONG_MS, 500);
    expect([lost(), noticeOf(again), items(again)]).toEqual([null, null, []]);
    await world.close();
  });

  it("at an ordinary next visit, after a crash too", async () => {
    const made = await queueNoted();
    const { world, olga, device, lost } = made;
    device.crash(olga);
    const again = await opened(made);
    await drain(world, again);
    await world.pass(LONG_MS, 500);
    expect([lost(), noticeOf(again), readNote(made.notes, NAME)]).toEqual([null, null, null]);
    await world.close();
  });

  it("of what a tab had in memory when the data was cleared under it", async () => {
    const made = await queueNoted();
    const { world, olga, device, lost } = made;
    await wipe(made);
    await world.until("stored again", () => noticeOf(olga) === "wiped");
    await world.pass(LONG_MS, 500);
    expect(lost()).toBeNull();
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
    expect(noticeOf(olga)).toBe("wiped");
    await world.close();
  });

  it.each(["discard", "keep"] as const)("to whoever signed out with a queue (%s) and is back", async (queue) => {
    const made = await queueNoted();
    const { world, olga, device, lost } = made;
    const second = await world.during(device.open());
    device.line.restore();
    must(await world.during(olga.client.account.signOut(queue)));
    expect(readNote(made.notes, NAME) === null).toBe(queue === "discard");
    for (const tab of [olga, second]) await world.during(tab.client.close());
    const again = await opened(made);
    await drain(world, again);
    await world.pass(LONG_MS, 500);
    expect([lost(), noticeOf(again)]).toEqual([null, null]);
    await world.close();
  });
});
