// What a tab left in the composer of a channel that isn't in sight any more when it ended, or holds there yet: no composer
// takes it up, so that it would be nowhere to be seen. Words don't say of which workspace they are.
import type { ChannelId } from "#protocol/ids.ts";
import type { ChannelsSnapshot, OutboxSnapshot } from "../../store/snapshots.ts";
import { has } from "#protocol/ops/merge-draft.ts";
import { drop, tellHere, wordsIn } from "../composer/left-words.ts";
import type { Unfinished } from "../composer/unfinished.ts";

type Known = Pick<OutboxSnapshot, "items" | "drafts" | "channelsElsewhere" | "isWhole">;

/**
 * @returns while a directory still comes that may bring the channel of one nobody can say: "unplaced" where that is another
 * workspace's, which may come only once it is opened on this device, null for a moment
 */
export function outOfSight(
  texts: readonly Unfinished[],
  { channels, isWhole }: Pick<ChannelsSnapshot, "channels" | "isWhole">,
  { channelsElsewhere, ...outbox }: Known,
): readonly Unfinished[] | "unplaced" | null {
  const isKnown = isWhole && outbox.isWhole && channelsElsewhere != null;
  const isInSight = (of: ChannelId): boolean =>
    channels.some(({ id }) => id === of) || channelsElsewhere?.has(of) === true;
  const found = texts.filter(({ isEdit, text, of }) => !isEdit && text.trim() !== "" && !isInSight(of as ChannelId));
  if (isKnown || found.length === 0) return found;
  return isWhole && outbox.isWhole && channelsElsewhere === null ? "unplaced" : null;
}

/** Stored since, or a moment before its tab ended: what becomes of it there is all that is to become of it. */
export function isListed({ items, drafts }: Known, { id, of, text }: Unfinished): boolean {
  return (
    items.some(({ change: { op, args } }) => op === "message.post" && args.id === id) ||
    drafts.some((draft) => draft.channel === of && has(draft.text, text))
  );
}

/** For good, without the others that lie in its place. */
export function dropOne({ place, id }: Pick<Unfinished, "place" | "id">): void {
  const rest = wordsIn(localStorage.getItem(place)).filter((words) => words.id !== id);
  if (rest.length === 0) return drop(place);
  const stored = JSON.stringify(rest);
  localStorage.setItem(place, stored);
  tellHere(place, stored);
}
