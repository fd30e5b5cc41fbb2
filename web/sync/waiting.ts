// What waits to be sent, noted beside the database, so that a database which is gone at the next visit doesn't take with
// it that something was in it. The newest texts are noted themselves, within a bound. Nothing here sends them again: the
// person does, see features/outbox/LostTexts.tsx.
import * as v from "valibot";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import type { Beside } from "../store/index-database.ts";
import { isCounted, workspaceOf } from "../store/outbox.ts";
import { channelRoom, workspaceRoom } from "../store/rooms.ts";
import type { DraftRecord, OutboxRecord } from "../store/schema.ts";
import { signal } from "../store/source.ts";
import type { Notes } from "./ports.ts";

const id = <Id extends string>() => v.custom<Id>((value) => typeof value === "string");

/** A change, known by its op; a draft that no op can carry, by its composer. */
const change = v.object({ op: v.string(), at: v.number() });

const words = v.object({
  ...change.entries,
  kind: v.picklist(["post", "edit", "draft"]),
  /** The channel's. */
  room: id<RoomName>(),
  channel: id<ChannelId>(),
  /** Which it is or changes; null for a draft. */
  message: v.nullable(id<MessageId>()),
  root: v.nullable(id<MessageId>()),
  text: v.string(),
});

const things = v.object({
  /** In the order written. */
  texts: v.array(words),
  /** What is no text, or went beyond the bound. */
  rest: v.array(change),
});

const note = v.object({
  ...things.entries,
  /** The one database that it is about: another of its name is another one. */
  database: v.string(),
  /** The last op in the outbox, of any kind; missing where there was none, and in a note of an older build. */
  last: v.optional(v.object({ op: v.string(), place: v.number() })),
});

const lost = v.object({
  ...things.entries,
  /** The person has seen that there is such a thing. */
  isTold: v.boolean(),
});

export type WaitingChange = v.InferOutput<typeof change>;
export type WaitingText = v.InferOutput<typeof words>;
export type Waiting = v.InferOutput<typeof things>;
export type WaitingNote = v.InferOutput<typeof note>;
export type Lost = v.InferOutput<typeof lost>;

/** A browser gives all notes of an origin together some 5 MB. */
const TEXTS_MAX_CHARS = 64_000;
export const WAITING = "causeway.waiting.";
export const LOST = "causeway.lost.";

/** Told when what is lost changed, by this tab. */
export const lostChanged = signal();

export function waitingOf(ops: readonly OutboxRecord[], drafts: readonly DraftRecord[]): Waiting {
  const all = allOf(ops, drafts).toSorted((one, other) => one.at - other.at);
  let left = TEXTS_MAX_CHARS;
  const texts: WaitingText[] = [];
  const rest: WaitingChange[] = [];
  for (const each of all.toReversed()) {
    if (isText(each) && each.text.length <= left) {
      texts.unshift(each);
      left -= each.text.length;
    } else rest.unshift({ op: each.op, at: each.at });
  }
  return { texts, rest };
}

/** Whatever their length. */
export function textsOf(ops: readonly OutboxRecord[], drafts: readonly DraftRecord[]): readonly WaitingText[] {
  return allOf(ops, drafts).filter(isText);
}

function allOf(ops: readonly OutboxRecord[], drafts: readonly DraftRecord[]): readonly (WaitingText | WaitingChange)[] {
  return [...ops.flatMap(fromOp), ...drafts.map(fromDraft)];
}

function isText(each: WaitingText | WaitingChange): each is WaitingText {
  return "text" in each;
}

function fromOp(record: OutboxRecord): (WaitingText | WaitingChange)[] {
  const { room, at } = record;
  const ref = parseRoomName(room);
  const plain = { op: record.id, at };
  if (record.op === "draft.set") {
    const { channel, root = null, text } = record.args;
    const workspace = workspaceOf(record);
    if (text === "" || workspace === null) return [];
    return [{ ...plain, kind: "draft", room: channelRoom(workspace, channel), channel, message: null, root, text }];
  }
  if (!isCounted(record)) return [];
  if (ref?.party !== "channel" || (record.op !== "message.post" && record.op !== "message.edit")) return [plain];
  const { text, id: message } = record.args;
  const root = record.op === "message.post" ? (record.args.root ?? null) : null;
  const kind = record.op === "message.post" ? "post" : "edit";
  return [{ ...plain, kind, room, channel: ref.channel, message, root, text }];
}

function fromDraft({ workspace, channel, root, text, at }: DraftRecord): WaitingText {
  const room = channelRoom(workspace, channel);
  const place = `${room}.${root}`;
  return { op: place, at, kind: "draft", room, channel, message: null, root: root === "" ? null : root, text };
}

export function countOf({ texts, rest }: Waiting): number {
  return texts.length + rest.length;
}

/** By its ops. */
export function idsOf({ texts, rest }: Waiting): Set<string> {
  return new Set([...texts, ...rest].map(({ op }) => op));
}

/** When the oldest of it was written. Epoch ms. */
export function sinceOf({ texts, rest }: Waiting): number {
  return Math.min(...[...texts, ...rest].map(({ at }) => at));
}

export function readNote(notes: Notes, name: string): WaitingNote | null {
  return parsed(note, get(notes, WAITING + name));
}

/** Nothing is noted where nothing waits: what the browser keeps for good is only what is needed. */
export function writeNote(notes: Notes, name: string, next: WaitingNote): void {
  put(notes, WAITING + name, countOf(next) === 0 ? null : JSON.stringify(next));
}

export function lostAsStored(notes: Notes, name: string): string | null {
  return get(notes, LOST + name);
}

export function readLost(stored: string | null): Lost | null {
  return parsed(lost, stored);
}

/** In one go: another tab, or the person, may change it as well. Answers what stands there then. */
export function changeLost(notes: Notes, name: string, make: (was: Lost | null) => Lost | null): Lost | null {
  const was = lostAsStored(notes, name);
  const next = make(readLost(was));
  const kept = next === null || countOf(next) === 0 ? null : next;
  const stored = kept === null ? null : JSON.stringify(kept);
  if (stored !== was) {
    put(notes, LOST + name, stored);
    lostChanged.tell();
  }
  return kept;
}

type Done = Pick<Beside, "clearedAt" | "givenUpAt">;

/** The databases of which something is noted, by the keys of all notes. */
export function notedPeople(keys: readonly string[]): readonly string[] {
  const of = (before: string): string[] =>
    keys.flatMap((key) => (key.startsWith(before) ? key.slice(before.length) : []));
  return [...of(WAITING), ...of(LOST)];
}

/**
 * What is noted of a person's texts beyond the database that is here: those that were lost before, and those of another one
 * that is gone.
 * @param database the one that is here; null where there is none
 */
export function notedBeyond(
  notes: Notes,
  name: string,
  database: string | null,
  { clearedAt = 0, givenUpAt = 0 }: Done,
): readonly WaitingText[] {
  const noted = readNote(notes, name);
  const lost = readLost(lostAsStored(notes, name));
  return [
    ...(noted === null || noted.database === database ? [] : since(clearedAt, noted).texts),
    ...(lost === null ? [] : since(givenUpAt, lost).texts),
  ];
}

/** As lines of NDJSON, of a copy that one saves. */
export function lostLines(lost: Lost | null): readonly string[] {
  return notedLines(lost?.texts ?? []);
}

export function notedLines(texts: readonly WaitingText[]): readonly string[] {
  return texts.map(({ kind, channel, root, message, text, at }) => {
    const line = { kind: `noted ${kind}`, channel, ...(root && { root }), ...(message && { message }), text, at };
    return `${JSON.stringify(line)}\n`;
  });
}

/** Without those, which were sent after all, or are done with. */
export function without(ops: ReadonlySet<string>, was: Lost | null): Lost | null {
  if (was === null) return null;
  const stays = ({ op }: WaitingChange): boolean => !ops.has(op);
  return { ...was, texts: was.texts.filter(stays), rest: was.rest.filter(stays) };
}

/** What was noted comes to what is lost already; what the person hasn't heard of, they are to hear of. */
export function withLost(was: Lost | null, { texts, rest }: Waiting): Lost {
  const known = idsOf(was ?? { texts: [], rest: [] });
  const isNew = ({ op }: WaitingChange): boolean => !known.has(op);
  const isAll = ![...texts, ...rest].some(isNew);
  return {
    texts: [...(was?.texts ?? []), ...texts.filter(isNew)],
    rest: [...(was?.rest ?? []), ...rest.filter(isNew)],
    isTold: was !== null && was.isTold && isAll,
  };
}

/** The person is done with their queue here: by sending it, or by giving it up. */
export function forgetWaiting(notes: Notes, name: string): void {
  put(notes, WAITING + name, null);
}

/** They have given it up. */
export function forgetLost(notes: Notes, name: string): void {
  changeLost(notes, name, () => null);
}

/** What was done with by then, though a browser that was killed has it again. */
export function forgetDone(notes: Notes, name: string, { clearedAt = 0, givenUpAt = 0 }: Done): void {
  const note = readNote(notes, name);
  if (note !== null) writeNote(notes, name, since(clearedAt, note));
  changeLost(notes, name, (was) => was && since(givenUpAt, was));
}

function since<T extends Waiting>(done: number, was: T): T {
  const isLater = ({ at }: WaitingChange): boolean => at > done;
  return { ...was, texts: was.texts.filter(isLater), rest: was.rest.filter(isLater) };
}

/** The directory that knows drafts of a channel's composers. */
export function directoryOf({ room }: WaitingText): RoomName | null {
  const ref = parseRoomName(room);
  return ref === null ? null : workspaceRoom(ref.workspace);
}

function parsed<S extends v.GenericSchema>(schema: S, stored: string | null): v.InferOutput<S> | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), stored);
  return read.success ? read.output : null;
}

function get(notes: Notes, key: string): string | null {
  try {
    return notes().getItem(key);
  } catch {
    return null;
  }
}

/** One that can't be brought up to date goes: an old one would call lost what was sent since. */
function put(notes: Notes, key: string, value: string | null): void {
  try {
    if (value === null) notes().removeItem(key);
    else if (notes().getItem(key) !== value) notes().setItem(key, value);
  } catch {
    if (value !== null) put(notes, key, null);
  }
}
