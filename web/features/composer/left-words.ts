// What tabs that ended too soon left behind comes back, once: to whoever has the composer open then, or opens it next.
import * as v from "valibot";
import type { ChannelId, MessageId, WorkspaceId } from "#protocol/ids.ts";
import { has, without } from "#protocol/ops/merge-draft.ts";
import type { Result } from "#protocol/result.ts";
import { answer, answeredIn } from "../answered.ts";
import { here, kept } from "../kept.ts";
import { held, placeOf, PLACES, sent, TAB, wordsHeld, type Words } from "./last-words.ts";

const named = <Id extends string>() => v.custom<Id>((given) => typeof given === "string");
const id = named<MessageId>();
const left = v.array(
  v.object({
    id,
    text: v.string(),
    over: v.string(),
    drafts: v.exactOptional(v.array(v.string())),
    isSent: v.boolean(),
    answers: v.exactOptional(v.string()),
    channel: v.exactOptional(named<ChannelId>()),
    workspace: v.exactOptional(named<WorkspaceId>()),
  }),
);

/** What was sent before that grew out of nothing that comes back now, though it may say the same; ms. */
const SENT_LATELY_MS = 10_000;

/** Whoever wrote lives, or did just now: by then it has its lock, or is gone; ms. */
export const LOCKED_WITHIN_MS = 1_000;

/**
 * Takes what tabs left that have ended, and what others leave until this composer is left; resolves when the first is taken.
 * @param isPosted whether a text was stored as a message after all; where that can't be told, it stays until the next time
 * @param take puts the texts, oldest first, into the composer, unless that was left; answers whether they outlive the tab there
 */
export async function takeLeftWords(
  owner: string,
  isPosted: (id: MessageId) => Promise<Result<boolean, unknown>>,
  take: (words: readonly Words[]) => boolean | Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const empty = async (place: string): Promise<void> => {
    const lost: Words[] = [];
    const edits: string[] = [];
    const lately = performance.now() - SENT_LATELY_MS;
    const found = localStorage.getItem(place);
    // A tab that lives after all may have written on: then all of it is that tab's still.
    const isAsFound = (): boolean => localStorage.getItem(place) === found;
    for (const words of wordsIn(found)) {
      const posted = await isPosted(words.id);
      if (!posted.ok) return;
      if (posted.value) continue;
      const edit = `${PLACES}${owner.replace(/[^.]*$/, words.id)}.${tabOf(place)}`;
      const [corrected] = words.isSent ? wordsIn(localStorage.getItem(edit)) : [];
      lost.push(corrected?.text.trim() ? { ...words, text: corrected.text } : words);
      if (corrected !== undefined) edits.push(edit);
    }
    const back = withoutSent(lost, await sentFrom(owner, isPosted, lately));
    if (!isAsFound()) return;
    const answers = back.findLast((words) => words.answers !== undefined)?.answers;
    // Not over what the person chose since.
    if (answers !== undefined && !signal.aborted && answeredIn(owner) === null) answer(owner, answers);
    if (back.length > 0 && (signal.aborted || !(await take(back)))) return;
    if (isAsFound()) for (const done of [place, ...edits]) drop(done);
  };
  const awaited = new Set<string>();
  const isAwaited = (place: string): boolean => awaited.has(place);
  const wait = async (place: string): Promise<void> => {
    awaited.add(place);
    await onceNobodyLives(place, signal, () => empty(place)).finally(() => awaited.delete(place));
  };
  const look = (): Promise<unknown> =>
    Promise.all(
      otherPlaces(owner)
        .filter((place) => !isAwaited(place))
        .map(wait),
    );
  // A tab that was opened since, or wrote nothing until now, may end as well. Without locks nobody knows which live: looked
  // at with each key of theirs, they would lose it.
  let looking: ReturnType<typeof setTimeout> | undefined;
  const lookSoon = ({ key, newValue }: StorageEvent): void => {
    if (newValue === null || key?.startsWith(PLACES + owner) !== true || otherPlaces(owner).every(isAwaited)) return;
    looking ??= setTimeout(() => {
      looking = undefined;
      if (!signal.aborted) void look();
    }, LOCKED_WITHIN_MS);
  };
  if ("locks" in navigator) addEventListener("storage", lookSoon, { signal });
  await look();
}

/** What was sent here and is a message by now, or is becoming one: what couldn't be, or was taken back, stands here again. */
async function sentFrom(
  owner: string,
  isPosted: (id: MessageId) => Promise<Result<boolean, unknown>>,
  since: number,
): Promise<readonly Sent[]> {
  const recent = sent.filter(([, { order }]) => order >= since);
  sent.splice(0, sent.length, ...recent);
  const own = new Map(recent.flatMap(([by, words]) => (by === owner ? [[words.id, words] as const] : [])));
  const out = [...own.values()].map(async (words) => {
    const posted = await isPosted(words.id);
    const isOut = (posted.ok && posted.value) || wordsHeld(owner).some(({ id }) => id === words.id);
    return isOut ? [words] : [];
  });
  return (await Promise.all(out)).flat();
}

/**
 * Until they come back, what they grew out of stands in the composer, and may be sent from there: then only what was
 * written behind it is left of them.
 * @param out what was sent, each part of which is taken off once
 */
function withoutSent<Left extends LeftWords>(lost: readonly Left[], out: readonly Sent[]): readonly Left[] {
  let rest = out.map(({ text }) => text).join("\n");
  const from = out.flatMap(({ over }) => over);
  /** As it stood, or written on; else a line only begins with the same letters. */
  const wasSent = (part: string): boolean =>
    part !== "" && (has(rest, part) || (beginsLine(rest, part) && from.some((stood) => has(stood, part))));
  return lost.flatMap((words) => {
    const { text, over, drafts = [] } = words;
    const parts = [text, ...drafts, over].filter(wasSent).toSorted((one, other) => other.length - one.length);
    const gone = parts.find((part) => beginsLine(text, part)) ?? parts[0];
    if (gone === undefined) return [words];
    rest = cut(rest, gone);
    // What came back once before may stand in another order.
    const left = (beginsLine(text, gone) ? [gone] : gone.split("\n")).reduce(cut, text).trimStart();
    return left === "" ? [] : [{ ...words, text: left }];
  });
}

type Sent = (typeof sent)[number][1];

const beginsLine = (whole: string, part: string): boolean => `\n${whole}`.includes(`\n${part}`);

const cut = (whole: string, part: string): string =>
  has(whole, part) ? without(whole, [part]) : `\n${whole}`.replace(`\n${part}`, "\n").slice(1);

/**
 * Whether this tab's own outlive it, copied or on disk, so that what they came from may go: left where it was, it would
 * come back twice.
 */
export const outlives = (owner: string, isOnDisk: Promise<boolean>): true | Promise<boolean> =>
  (kept(here, placeOf(owner)) ?? "[]") === JSON.stringify(wordsHeld(owner)) || isOnDisk;

/** Whether there are any, of this tab or one that may have ended. */
export const hasWords = (owner: string): boolean => wordsHeld(owner).length > 0 || otherPlaces(owner).length > 0;

/**
 * Lets go of what a tab saved just before it ended, without letting go of it.
 * @param isSaid whether a text says no more than what stands there
 * @returns whether any are left that would come back here now: this tab holds them, or one that has ended
 */
export async function letGoOfSaid(owner: string, isSaid: (text: string) => boolean): Promise<boolean> {
  if (wordsHeld(owner).length > 0) return true;
  const places = otherPlaces(owner);
  if (!("locks" in navigator)) return places.length > 0;
  const left = places.map((place) =>
    navigator.locks.request(PLACES + tabOf(place), { ifAvailable: true, mode: "shared" }, (lock) => {
      const isOver = lock !== null && wordsIn(localStorage.getItem(place)).every(({ text }) => isSaid(text));
      if (isOver) drop(place);
      return lock !== null && !isOver;
    }),
  );
  return (await Promise.all(left)).includes(true);
}

/** What lies in a place, for good. */
export function drop(place: string): void {
  localStorage.removeItem(place);
  tellHere(place);
}

/** That another hand changed a place, as the browser tells the other tabs alone. */
export function tellHere(key: string, newValue: string | null = null): void {
  dispatchEvent(new StorageEvent("storage", { key, newValue }));
}

/**
 * How texts that were left behind, oldest first, and the draft on disk become one: in the order they were written in,
 * nothing is dropped, nothing stands there twice.
 */
export function joined(draft: string, left: readonly LeftWords[]): string {
  const isBefore = left.some((words) => grewFrom(words, draft) || words.text.startsWith(draft));
  const back = isBefore ? left : left.filter((words) => !hasGrown(draft, words));
  const texts = back.map(({ text }) => text);
  // What came back takes the place of what it grew out of, and its own, beside which another device's words may stand.
  const rest = back.reduce(
    (standing, { text, over, drafts = [] }) => without(standing, [...drafts, over, text]),
    draft,
  );
  return (isBefore || rest === "" ? texts : [...texts, rest]).join("\n");
}

type LeftWords = Pick<Words, "text" | "over"> & Partial<Pick<Words, "isSent" | "drafts">>;

const grewFrom = ({ over, drafts = [] }: LeftWords, text: string): boolean => [over, ...drafts].includes(text);

/** What was still being typed, and stands there by now with more behind it. */
function hasGrown(draft: string, { text, isSent }: LeftWords): boolean {
  return isSent !== true && beginsLine(draft, text) && !has(draft, text);
}

/**
 * What stands in the composer then. Where somebody types already, theirs stands below what came back, untouched; what
 * they typed may be the beginning of it, or part of it, and is still theirs.
 * @param stored the draft on disk, where that is known; what of it is being sent from here is none any more
 * @param shown what the composer holds
 */
export function restored(owner: string, stored: string | null, shown: string, words: readonly LeftWords[]): string {
  const sending = wordsHeld(owner).filter(({ isSent }) => isSent);
  const draft = without(
    stored ?? "",
    sending.flatMap(({ text, over, drafts = [] }) => [text, over, ...drafts]),
  );
  const back = joined(draft, words);
  if (shown === draft || shown === "") return back;
  if (back === draft) return shown;
  const typed = shown.startsWith(draft) ? shown.slice(draft.length) : shown;
  return `${back}\n${typed.trimStart()}`;
}

/**
 * A tab has its lock until it is gone, which may take a moment or a day. Then all who wait for it share it, as do those who
 * only look whether it lives; and of those who wait one after the other has the place.
 */
async function onceNobodyLives(place: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!("locks" in navigator)) return work();
  const { locks } = navigator;
  const alone = (): Promise<void> => locks.request(place, { signal }, work);
  await locks.request(PLACES + tabOf(place), { signal, mode: "shared" }, alone).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/**
 * What was discarded in another tab, or with a sign-out, this one doesn't hold any more either. Where it has just been
 * written and isn't there, there was no room for it.
 */
export function discarded({ key, newValue }: Pick<StorageEvent, "key" | "newValue">): void {
  for (const owner of held.keys()) {
    if (key === placeOf(owner) && newValue === null && isEmpty(key)) held.delete(owner);
  }
}

/** Not so where it can't be looked at: then nothing was ever kept there. */
function isEmpty(place: string): boolean {
  try {
    return localStorage.getItem(place) === null;
  } catch {
    return false;
  }
}

// Before whoever else hears of it, and then looks here.
if ("addEventListener" in globalThis) addEventListener("storage", discarded, true);

/** Whether the tab lives whose place it is. */
export async function isLivingPlace(place: string): Promise<boolean> {
  if (!("locks" in navigator)) return false;
  return navigator.locks.request(PLACES + tabOf(place), { ifAvailable: true, mode: "shared" }, (lock) => lock === null);
}

export const tabOf = (place: string): string => place.slice(place.lastIndexOf(".") + 1);

/** Where other tabs kept theirs, dead or alive. */
export function otherPlaces(owner: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter(
      (place) => place.startsWith(`${PLACES}${owner}.`) && !place.endsWith(`.${TAB}`),
    );
  } catch {
    return [];
  }
}

/** @param stored what stands in a place */
export function wordsIn(stored: string | null): readonly Words[] {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), left), stored);
  return read.success ? read.output : [];
}
