// Table `drafts`: unsent texts that can't leave the device, being over the limit of a synced draft, or refused. They hide
// what the room has there, and name what they grew out of. All others are the `draft.set` that waits in the outbox, and the
// draft entity once it is known.
import { has } from "#protocol/ops/merge-draft.ts";
import type { DraftRecord } from "./schema.ts";
import type { WriteTx } from "./tx.ts";

/** Of what is kept here, what is shown in the place of what stands there otherwise: not what stands in that as well. */
export function hiding(standing: string, kept: DraftRecord | undefined): DraftRecord | undefined {
  return kept && !has(standing, kept.text) ? kept : undefined;
}

export function putDraft(tx: WriteTx, draft: DraftRecord): void {
  tx.put("drafts", draft);
}

export function removeDraft(
  tx: WriteTx,
  { workspace, channel, root }: Omit<DraftRecord, "text" | "over" | "at">,
): void {
  tx.remove("drafts", [workspace, channel, root]);
}
