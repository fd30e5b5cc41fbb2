// One channel of the sidebar: its name, and what waits in it.
import { useEffect, useId, useRef, type ReactElement } from "react";
import { Link } from "../navigation.tsx";
import type { ChannelRow } from "../../store/snapshots.ts";
import { Count } from "../../ui/Count.tsx";
import { cx } from "../../ui/cx.ts";
import { HashIcon, LockIcon } from "../../ui/icons.tsx";
import { AlertIcon, ClockIcon, PencilIcon } from "../../ui/icons-beside.tsx";
import { sidebarSays } from "../../ui/strings-sidebar.ts";
import { channelPath } from "../paths.ts";
import styles from "./Sidebar.module.css";

interface ChannelLinkProps {
  readonly row: ChannelRow;
  readonly slug: string;
  readonly isCurrent: boolean;
}

export function ChannelLink({ row, slug, isCurrent }: ChannelLinkProps): ReactElement {
  const id = useId();
  const about = description(row);
  const hasDraft = row.hasDraft && !isCurrent;
  const item = useRef<HTMLLIElement>(null);
  // Among hundreds of channels the one on screen is in sight; only when one goes there, not while one looks around.
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li ref={item}>
      <Link
        href={channelPath(slug, row.id)}
        className={cx(styles.link, row.isUnread && styles.unread, row.isMuted && styles.muted)}
        aria-current={isCurrent ? "page" : undefined}
        aria-describedby={about === "" ? undefined : id}
      >
        {row.access === "private" ? <LockIcon /> : <HashIcon />}
        <span className={styles.name}>{row.name}</span>
        {row.delivery === "refused" ? (
          <span className={styles.refused}>
            <AlertIcon size={14} />
          </span>
        ) : row.delivery === "sent" ? (
          hasDraft && <PencilIcon size={14} />
        ) : (
          <span className={styles.waiting}>
            <ClockIcon size={14} />
          </span>
        )}
        {row.mentionCount > 0 && <Count value={row.mentionCount} />}
      </Link>
      <span id={id} hidden>
        {about}
      </span>
    </li>
  );
}

/** What the marks show, in words. */
function description(row: ChannelRow): string {
  return [
    row.isUnread ? sidebarSays.unread : "",
    row.mentionCount > 0 ? sidebarSays.mentions(row.mentionCount) : "",
    row.access === "private" ? sidebarSays.private : "",
    row.hasDraft ? sidebarSays.draft : "",
    row.delivery === "refused" ? sidebarSays.refused : row.delivery === "sent" ? "" : sidebarSays.waiting,
  ]
    .filter(Boolean)
    .join(", ");
}
