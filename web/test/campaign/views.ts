// Whether the screens of one page say the same of what waits, at any moment: each is made by itself from one replica, and
// one that isn't made anew in time shows what is no longer so.
import type { Tab } from "./device.ts";

export function judgeViews({ name, workspace, timeline, channel, isHung }: Tab): string[] {
  const outbox = workspace?.outbox.snapshot();
  const shown = timeline?.snapshot();
  // Far up, what waits is shown further down.
  if (isHung || outbox?.state !== "ready" || shown?.state !== "ready" || shown.newer !== "nothing") return [];
  const rows = new Map(shown.messages.map((row) => [row.id, row]));
  const ofChannel = outbox.value.items.filter((item) => item.channel === channel);
  /** Shown as it will be, which is more than the post itself says. */
  const changed = new Set(
    ofChannel.flatMap(({ change }) =>
      change.op === "message.edit" || change.op === "message.delete" ? [change.args.id] : [],
    ),
  );
  const found: string[] = [];
  const waiting = new Set<string>();
  for (const { change, delivery } of ofChannel) {
    if (change.op !== "message.post") continue;
    const { id, text } = change.args;
    waiting.add(id);
    const row = rows.get(id);
    if (row === undefined) {
      // It may stand in the room already, above what is shown.
      if (shown.older === "nothing") found.push(`[I3] ${name} doesn't show ${id}, which waits`);
    } else if (row.seq === null) {
      if (row.text !== text && !changed.has(id)) found.push(`[I3] ${name} shows "${row.text}", and "${text}" waits`);
      if (row.delivery !== delivery) found.push(`[I3] ${name} shows ${id} as ${row.delivery}, it is ${delivery}`);
    }
  }
  for (const { id, seq } of rows.values())
    if (seq === null && !waiting.has(id)) found.push(`[I3] ${name} shows ${id}, which doesn't wait`);
  return found;
}
