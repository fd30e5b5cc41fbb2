// Heads of channels: what one says, and which of two counts ([SV2]).
import type { Head } from "./frames/welcome.ts";

type Standing = Pick<Head, "rev" | "restored">;

/** Of whatever bears one, the head alone. */
export function headOf({ seq, top, rev, at, restored }: Head): Head {
  return { seq, top, rev, at, ...(restored === undefined ? {} : { restored }) };
}

/** What is known once this was told; null where it says nothing new. */
export function headAfter(told: Head, before: Head | undefined): Head | null {
  if (before === undefined) return headOf(told);
  const { restored = before.restored } = told;
  return isNewerHead(told, before) ? headOf({ ...told, ...(restored && { restored }) }) : null;
}

/** A restored room's revs begin anew. A head that says nothing of it, of version 7, goes by its rev. */
export function isNewerHead(head: Standing, before: Standing): boolean {
  const was = before.restored?.at ?? 0;
  const at = head.restored?.at ?? was;
  return at === was ? head.rev > before.rev : at > was;
}
