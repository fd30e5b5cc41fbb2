// Whether trying again what was refused can help.
import type { OutboxItem } from "../../store/snapshots.ts";

/** What isn't there any more, or isn't ours to do, won't be at the next try; a message can be made anew, though. */
export function mayRetry({ change, refusal }: Pick<OutboxItem, "change" | "refusal">): boolean {
  if (refusal?.code !== "not_found") return true;
  return change.op === "message.post" && change.args.root === undefined;
}
