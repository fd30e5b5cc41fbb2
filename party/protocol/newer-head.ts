// Which of two heads of a channel counts ([SV2]).
import type { Head } from "./frames/welcome.ts";

type Standing = Pick<Head, "rev" | "restored">;

/** A restored room's revs begin anew. A head that says nothing of it, of version 7, goes by its rev. */
export function isNewerHead(head: Standing, before: Standing): boolean {
  const was = before.restored?.at ?? 0;
  const at = head.restored?.at ?? was;
  return at === was ? head.rev > before.rev : at > was;
}
