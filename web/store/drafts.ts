// Table `drafts`: unsent texts that can't leave the device, being over the limit of a synced draft, or refused. They hide
// what the room has there until they are gone. All others are the `draft.set` that waits in the outbox, and the draft entity
// once it is known.
import type { DraftRecord } from "./schema.ts";
import type { WriteTx } from "./tx.ts";

export function putDraft(tx: WriteTx, draft: DraftRecord): void {
  tx.put("drafts", draft);
}

export function removeDraft(
  tx: WriteTx,
  { workspace, channel, root }: Omit<DraftRecord, "text" | "over" | "at">,
): void {
  tx.remove("drafts", [workspace, channel, root]);
}
