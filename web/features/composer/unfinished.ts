// Texts that were begun and neither sent, saved nor given up, in whichever tab of this device: read from where composers
// and editors hold what the database doesn't have (last-words.ts), and given up there.
import type { WorkspaceId } from "#protocol/ids.ts";
import type { OutboxItem } from "../../store/snapshots.ts";
import { held, letGo, ownerOf, placeOf, PLACES, TAB, type Words } from "./last-words.ts";
import { wordsIn } from "./left-words.ts";

export interface Unfinished extends Words {
  /** Where it is held. */
  readonly place: string;
  readonly owner: string;
  /** The channel, message or refused op in whose place it was typed. */
  readonly of: string;
  /** Else it is a composer's. */
  readonly isEdit: boolean;
}

type Places = Pick<Storage, "getItem" | "removeItem"> & Record<string, unknown>;

/** As they are stored, place by place: the same while nothing changed. */
export function unfinishedAsStored(places: () => Storage, user: string): string {
  const isOwn = (place: string): boolean => place.startsWith(`${PLACES}${user}.`);
  try {
    const storage = places() as Places;
    const own = Object.keys(storage).filter(isOwn);
    return JSON.stringify(own.toSorted().map((place) => [place, storage.getItem(place)]));
  } catch {
    // Blocked: this page's memory is all there is.
    const here = [...held].map(([owner, words]) => [placeOf(owner), JSON.stringify(words)] as const);
    return JSON.stringify(here.filter(([place]) => isOwn(place)));
  }
}

export function readUnfinished(stored: string, user: string): readonly Unfinished[] {
  return (JSON.parse(stored) as [place: string, words: string | null][]).flatMap(([place, words]) => {
    const of = place.slice(`${PLACES}${user}.`.length, place.lastIndexOf("."));
    return wordsIn(words).map((each): Unfinished => ({
      ...each,
      place,
      owner: ownerOf(user, of),
      of,
      isEdit: each.channel !== undefined,
    }));
  });
}

/** Those that were sent and aren't stored yet: the same while others are typed. */
export function sentAsStored(places: () => Storage, user: string): string {
  const texts = readUnfinished(unfinishedAsStored(places, user), user);
  return JSON.stringify(texts.filter(({ isSent, isEdit }) => isSent && !isEdit));
}

/** Of what, in the name of a place. A refused message is mended in the timeline too: whichever of both, the words are the same. */
export function mendedAt({ op, change, refusal }: Pick<OutboxItem, "op" | "change" | "refusal">): string {
  return change.op === "message.post" && refusal !== undefined ? change.args.id : op;
}

/**
 * The edits to be listed in a workspace's Outbox: what mends a change stands at that, until it was sent or discarded in
 * another tab.
 * @param items what waits there
 */
export function editsIn(
  texts: readonly Unfinished[],
  workspace: WorkspaceId,
  items: readonly Parameters<typeof mendedAt>[0][],
): readonly Unfinished[] {
  return texts.filter(
    (text) =>
      text.isEdit && (text.workspace ?? workspace) === workspace && !items.some((item) => mendedAt(item) === text.of),
  );
}

/** Whether this tab holds it. */
export const isHere = (place: string): boolean => place.endsWith(`.${TAB}`);

/** For good, whichever tab holds it. */
export function giveUp(places: () => Storage, { place, owner, id }: Unfinished): void {
  if (isHere(place)) letGo(owner, id);
  else places().removeItem(place);
}

/** As lines of NDJSON, behind those of the database. */
export function unfinishedLines(texts: readonly Unfinished[]): readonly string[] {
  return texts.map(({ id, text, channel, isEdit }) => {
    const kind = isEdit ? "unfinished edit" : "unfinished text";
    return `${JSON.stringify({ kind, message: id, ...(channel && { channel }), text })}\n`;
  });
}
