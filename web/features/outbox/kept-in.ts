// Whether words that were written in a channel wait for the person in the Outbox.
import type { ChannelId } from "#protocol/ids.ts";
import type { OutboxSnapshot } from "../../store/snapshots.ts";
import type { Unfinished } from "../composer/unfinished.ts";
import { textOf } from "./describe.ts";

export function hasKeptWords(
  { items, drafts }: Pick<OutboxSnapshot, "items" | "drafts">,
  edits: readonly Pick<Unfinished, "channel">[],
  channel: ChannelId,
): boolean {
  const isRefusedText = items.some(
    (item) =>
      item.channel === channel && item.refusal !== undefined && (item.editedText ?? textOf(item.change)) !== null,
  );
  return isRefusedText || [...drafts, ...edits].some((text) => text.channel === channel);
}
