// What one tab knows into a database that stands in the place of one that is gone: all of it, or what no other tab has put
// back there.
import type { OpId } from "#protocol/ids.ts";
import { ended, settled } from "../store/database.ts";
import { numbered } from "../store/outbox-course.ts";
import type { Replica } from "../store/replica.ts";
import { emptyRoom, workspaceRoom } from "../store/rooms.ts";
import type { DeviceRecord, DraftRecord, MetaRecord, OutboxRecord, TableName } from "../store/schema.ts";
import type { Change } from "../store/store.ts";

/** What a tab knows of one workspace that nobody else may have. */
export type Known = Pick<Replica, "workspace" | "rooms" | "entities" | "heads" | "drafts" | "outbox">;

const RESTORED: readonly TableName[] = ["rooms", "entities", "heads", "outbox", "devices", "drafts", "meta"];

export interface Restoring {
  readonly newId: () => string;
  /** The person chose so: what is queued isn't to go. */
  readonly isByChoice: boolean;
  /** Which database was lost, with all that this site had stored, so that nobody gave up what was in it; null where that isn't so. */
  readonly lost: string | null;
}

/** Answers what it stored; null where that wasn't needed: another tab was quicker, or the data is still there. */
export async function restore(
  db: IDBDatabase,
  known: Known,
  { newId, isByChoice, lost }: Restoring,
): Promise<readonly Change[] | null> {
  const tx = db.transaction([...RESTORED], "readwrite", { durability: "strict" });
  const done = ended(tx);
  // Taken away once more in its midst, the read fails first.
  done.catch(() => undefined);
  const there = (await settled(tx.objectStore("meta").get("database"))) as { readonly id: string } | undefined;
  const isStored = (await settled(tx.objectStore("rooms").count(workspaceRoom(known.workspace)))) > 0;
  let stored: readonly Change[] | null = null;
  if (!isStored) {
    stored = await putAll(tx, known, newId);
    if (isByChoice) tx.objectStore("meta").put({ key: "workOffline", on: true } satisfies MetaRecord);
  } else if (lost !== null && there?.id !== lost) {
    // Who signed in again since is online: that was asked for later than what this tab was told.
    const missing = await putMissing(tx, known);
    if (missing.length > 0) stored = missing;
  }
  await done;
  return stored;
}

async function putAll(tx: IDBTransaction, known: Known, newId: () => string): Promise<readonly Change[]> {
  const table = (of: TableName): IDBObjectStore => tx.objectStore(of);
  const directory = workspaceRoom(known.workspace);
  const room = known.rooms.get(directory) ?? emptyRoom(directory);
  const { generation } = room;
  // Of a directory that was coming anew nobody knows which came already: all of it is asked for, and the rest goes then.
  table("rooms").put(room.isSweeping ? { ...room, generation: generation + 1, cursor: null } : room);
  for (const entity of known.entities()) table("entities").put({ room: directory, generation, entity });
  for (const head of known.heads.values()) table("heads").put(head);
  // A tab that began anew may have stored before it had the directory, and told.
  const there = (await settled(table("outbox").getAll())) as OutboxRecord[];
  const isThere = (op: OutboxRecord): boolean => there.some((each) => each.id === op.id && each.room === op.room);
  const { ops, devices } = renumbered(
    known.outbox().filter((op) => !isThere(op)),
    newId,
  );
  const taken = new Set(there.map(({ place }) => place));
  const mayKeepPlaces = !ops.some(({ place }) => taken.has(place));
  // Tabs know places of before until they have read all of it again, should the database be taken away once more.
  beginBeyond(table("outbox"), Math.max(Date.now(), ...taken, ...ops.map(({ place }) => place)));
  for (const device of devices) table("devices").put(device);
  return putUnsent(tx, ops, [...known.drafts.values()], mayKeepPlaces);
}

/**
 * Another tab began anew, with what it had: all of this one's, or nothing of it where this one was frozen meanwhile and
 * somebody signed in again. What nobody put back goes behind what is there, without numbers, for it may have been done.
 */
async function putMissing(tx: IDBTransaction, known: Known): Promise<readonly Change[]> {
  const there = (await settled(tx.objectStore("outbox").getAll())) as OutboxRecord[];
  const isKnown = new Set([...(await restoredBefore(tx)), ...there.map(({ id }) => id)]);
  const ops = known.outbox().filter(({ id }) => !isKnown.has(id));
  const drafts: DraftRecord[] = [];
  for (const draft of known.drafts.values()) {
    const key = [draft.workspace, draft.channel, draft.root];
    if ((await settled(tx.objectStore("drafts").count(key))) === 0) drafts.push(draft);
  }
  return putUnsent(tx, ops.map(withoutNumber), drafts, false);
}

function withoutNumber({ n: _n, device: _device, skip: _skip, ...op }: OutboxRecord): OutboxRecord {
  return op.refusal === undefined ? { ...op, maybeDelivered: true } : op;
}

async function restoredBefore(tx: IDBTransaction): Promise<readonly OpId[]> {
  const record = (await settled(tx.objectStore("meta").get("restored"))) as MetaRecord | undefined;
  return record?.key === "restored" ? record.ids : [];
}

/** @param mayKeepPlaces none of them is taken */
async function putUnsent(
  tx: IDBTransaction,
  ops: readonly OutboxRecord[],
  drafts: readonly DraftRecord[],
  mayKeepPlaces: boolean,
): Promise<readonly Change[]> {
  const stored: Change[] = [];
  for (const { place, ...op } of ops) {
    const next = await settled(tx.objectStore("outbox").add(mayKeepPlaces ? { ...op, place } : op));
    stored.push({ table: "outbox", put: { ...op, place: Number(next) } as OutboxRecord });
  }
  for (const draft of drafts) {
    tx.objectStore("drafts").put(draft);
    stored.push({ table: "drafts", put: draft });
  }
  const ids = [...(await restoredBefore(tx)), ...ops.map(({ id }) => id)];
  tx.objectStore("meta").put({ key: "restored", ids } satisfies MetaRecord);
  return stored;
}

/** The next one is stored behind that place. */
function beginBeyond(outbox: IDBObjectStore, place: number): void {
  outbox.put({ place: place + 1 });
  outbox.delete(place + 1);
}

/**
 * In the order written, in their places. What had a number keeps it, of the device that it was given as: it may have been
 * done, and is answered as that then, not done once more over what is newer. A device's answers come in order, so nothing
 * behind its last number here has left, as far as the tab that sends knows; another may know less, and is told so by a
 * conflict. Where an older build gave all of them, they get another's: whose they were went with the data ([OP4]).
 */
export function renumbered(
  outbox: readonly OutboxRecord[],
  newId: () => string,
): { readonly ops: readonly OutboxRecord[]; readonly devices: readonly DeviceRecord[] } {
  const ops = new Map(outbox.map((op) => [op.place, op]));
  const devices: DeviceRecord[] = [];
  for (const [room, sent] of Map.groupBy(numbered(outbox), (op) => op.room)) {
    // All of one: whatever takes another device takes their numbers off, also of those that an older build gave.
    const [device, ...others] = new Set(sent.flatMap((op) => op.device ?? []));
    const last = sent.at(-1);
    if (device !== undefined && others.length === 0 && last !== undefined) {
      devices.push({ room, device, next: last.n + 1 });
      continue;
    }
    const other = newId() as DeviceRecord["device"];
    for (const [at, op] of sent.entries()) ops.set(op.place, { ...op, n: at + 1, device: other });
    devices.push({ room, device: other, next: sent.length + 1 });
  }
  return { ops: [...ops.values()], devices };
}
