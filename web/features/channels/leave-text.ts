// What leads back into a channel that one leaves, if anything does. Pure.
import type { ChannelRow, MemberRow } from "../../store/snapshots.ts";
import { s } from "../../ui/strings-more.ts";

/** @param members those in it */
export function leaveTextOf(
  { access, isArchived }: Pick<ChannelRow, "access" | "isArchived">,
  members: readonly Pick<MemberRow, "isMe" | "isDeactivated">[],
  isGuest: boolean,
): string {
  const says = s.channelDialog;
  if (access === "private") {
    // Out of sight of all others, also of admins.
    const isLast = members.every(({ isMe, isDeactivated }) => isMe || isDeactivated);
    return isLast ? says.leaveTextLast : says.leaveTextPrivate;
  }
  if (isGuest) return says.leaveTextGuest;
  return isArchived ? says.leaveTextArchived : says.leaveText;
}
