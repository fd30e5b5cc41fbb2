// Drafts where there is no composer any more to show them: the Outbox does.
import type { ChannelId } from "#protocol/ids.ts";
import { closedBecause, isComing } from "./channels-view.ts";
import { draftText, type Replica } from "./replica.ts";
import type { OutboxDraft } from "./snapshots.ts";

/** What of a workspace tells where one can write. */
export type WithDrafts = Pick<Replica, "workspace" | "me" | "rooms" | "drafts" | "get" | "list">;

/** Not while the directory still comes: it may bring their channels. */
export function homeless(replica: WithDrafts): readonly OutboxDraft[] {
  if (isComing(replica)) return [];
  return unsentDrafts(replica).flatMap((draft) => {
    const why = closedFor(replica, draft.channel);
    return why === null ? [] : [{ ...draft, why }];
  });
}

/** Of all composers that hold something. */
export function unsentDrafts(replica: WithDrafts): readonly Omit<OutboxDraft, "why">[] {
  const synced = replica.list("draft").filter((draft) => !draft.deleted);
  const composers = new Map(
    [...synced, ...replica.drafts.values()].map((of) => [`${of.channel}.${of.root ?? ""}`, of]),
  );
  return [...composers.values()].flatMap(({ channel, root }) => {
    const text = draftText(replica, channel, root === "" ? undefined : root);
    if (text.trim() === "") return [];
    const entity = replica.get("channel", channel);
    const channelName = entity === undefined || entity.deleted ? null : entity.name;
    return [{ channel, root: root === undefined || root === "" ? null : root, channelName, text }];
  });
}

/** Why one can't write there, as far as is known here; null where one can. */
export function closedFor(replica: Omit<WithDrafts, "drafts" | "list">, channel: ChannelId): OutboxDraft["why"] | null {
  const entity = replica.get("channel", channel);
  return entity === undefined || entity.deleted ? "gone" : closedBecause(replica, entity);
}
