// The tab as the browser shows it beside others: where one is, and whether something is unread. For who looks elsewhere, so
// it comes behind the first screen.
import { useEffect, type ReactElement } from "react";
import { useView } from "../features/services.ts";
import type { ChannelsSnapshot } from "../store/snapshots.ts";
import { shownTitle } from "../ui/shown-title.ts";
import { s } from "../ui/strings-more.ts";

interface TabMarkProps {
  readonly channels: ChannelsSnapshot | null;
  /** The channel on screen. */
  readonly here: string | undefined;
  readonly workspace: string;
}

export function TabMark({ channels, here, workspace }: TabMarkProps): ReactElement {
  const { mentionCount = 0, unreadChannelCount = 0 } = channels ?? {};
  // One may be named where nothing is unread: in a reply, or in a channel that is muted.
  const isUnread = unreadChannelCount > 0 || mentionCount > 0;
  const title = useView(shownTitle);

  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null || !isUnread) return undefined;
    link.href = "/icons/icon-unread.svg";
    // Also for who signs out.
    return () => void (link.href = "/icons/icon.svg");
  }, [isUnread]);

  const mark = mentionCount > 0 ? `(${mentionCount}) ` : isUnread ? "• " : "";
  const place = here === undefined ? title : `#${here}`;
  return <title>{mark + (place === undefined ? workspace : s.tabTitle(place, workspace))}</title>;
}
