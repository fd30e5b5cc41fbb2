// The way around a workspace: its menu, the Outbox, the channels one is in, the state of the connection, oneself.
import { useEffect, useState, type ReactElement } from "react";
import { Link } from "../navigation.tsx";
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { ChannelRow, WorkspaceSnapshot } from "../../store/snapshots.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { Count } from "../../ui/Count.tsx";
import { CompassIcon, DownIcon, OutboxIcon, PlusIcon, SearchIcon } from "../../ui/icons-sidebar.tsx";
import { PopoverButton } from "../../ui/Popover.tsx";
import { sidebarSays } from "../../ui/strings-sidebar.ts";
import { later } from "../../ui/later.tsx";
import { laterDialog } from "../../ui/later-dialog.tsx";
import { useWaiting } from "../being-saved.ts";
import { NotLoadedItem } from "../NotLoaded.tsx";
import { outboxPath, searchPath } from "../paths-more.ts";
import { browsePath } from "../paths.ts";
import { useClient, usePlace, useView } from "../services.ts";
import { ChannelLink } from "./ChannelLink.tsx";
import { LaterPill } from "./later-pill.ts";
import styles from "./Sidebar.module.css";

const SearchKeys = later(() => import("./SearchKeys.tsx"), "SearchKeys");
const SidebarMenu = later(() => import("./SidebarMenu.tsx"), "SidebarMenu", NotLoadedItem);
const SidebarDialog = laterDialog(() => import("./SidebarDialog.tsx"), "SidebarDialog");

export type OpenDialog =
  | "invite"
  | "create-channel"
  | "profile"
  | "sign-out"
  /** Why it can't be kept whether one works offline. */
  | { readonly notChosen: Failure };

interface SidebarProps {
  readonly workspace: WorkspaceSnapshot;
  readonly current: ChannelId | null;
  /** The path on screen, to mark its link. */
  readonly path: string;
  /** Told whether a dialog of it is open, which must not go with it. */
  readonly onAsking: (isAsking: boolean) => void;
}

export function Sidebar({ workspace, current, path, onAsking }: SidebarProps): ReactElement {
  const { slug, client } = usePlace();
  const channels = useView(client.channels);
  const update = useView(useClient().update);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const isAsking = dialog !== null;
  useEffect(() => onAsking(isAsking), [isAsking, onAsking]);
  const { me, ref } = workspace;
  const mine = channels.state === "ready" ? channels.value.channels.filter(isMine) : [];
  const starred = mine.filter((row) => row.isStarred);
  const others = mine.filter((row) => !row.isStarred);
  const { waitingCount, refusedCount } = useWaiting();
  const rows = (of: readonly ChannelRow[]): ReactElement => (
    <ul className={styles.list}>
      {of.map((row) => (
        <ChannelLink key={row.id} row={row} slug={slug} isCurrent={row.id === current} />
      ))}
    </ul>
  );

  return (
    <nav className={styles.sidebar} aria-label={sidebarSays.label}>
      <div className={styles.top}>
        <PopoverButton
          label={ref.name}
          icon={
            <>
              <span className={styles.workspace}>{ref.name}</span> <DownIcon />
            </>
          }
          className={styles.menu}
          role="menu"
        >
          {(close) => <SidebarMenu of="workspace" workspace={workspace} close={close} onOpen={setDialog} />}
        </PopoverButton>
      </div>
      <div className={styles.scroll}>
        <ul className={styles.list}>
          <li>
            <Link
              href={searchPath(slug)}
              className={styles.link}
              aria-current={path === searchPath(slug) ? "page" : undefined}
              aria-keyshortcuts="Control+K Meta+K /"
            >
              <SearchIcon />
              <span className={styles.name}>{sidebarSays.search}</span>
            </Link>
          </li>
          <li>
            <Link
              href={outboxPath(slug)}
              className={styles.link}
              aria-current={path === outboxPath(slug) ? "page" : undefined}
              aria-describedby="outbox-count"
            >
              <OutboxIcon />
              <span className={styles.name}>{sidebarSays.outbox}</span>
              {refusedCount > 0 && <Count value={refusedCount} look="danger" />}
              {waitingCount > 0 && <Count value={waitingCount} look="waiting" />}
            </Link>
            <span id="outbox-count" hidden>
              {sidebarSays.outboxCount(waitingCount, refusedCount)}
            </span>
          </li>
          <li>
            <Link
              href={browsePath(slug)}
              className={styles.link}
              aria-current={path === browsePath(slug) ? "page" : undefined}
            >
              <CompassIcon />
              <span className={styles.name}>{sidebarSays.browse}</span>
            </Link>
          </li>
        </ul>
        {starred.length > 0 && (
          <>
            <div className={styles.heading}>
              <h2>{sidebarSays.starred}</h2>
            </div>
            {rows(starred)}
          </>
        )}
        <div className={styles.heading}>
          <h2>{sidebarSays.channels}</h2>
          {(workspace.mayCreatePublic || workspace.mayCreatePrivate) && (
            <IconButton label={sidebarSays.create} onClick={() => setDialog("create-channel")}>
              <PlusIcon />
            </IconButton>
          )}
        </div>
        {channels.state === "ready" && mine.length === 0 && (
          <p className={styles.none}>{channels.value.isWhole ? sidebarSays.none : sidebarSays.loading}</p>
        )}
        {rows(others)}
      </div>
      <div className={styles.foot}>
        <LaterPill />
        <PopoverButton
          label={sidebarSays.account(me.name)}
          icon={
            <>
              <Avatar id={me.user} name={me.name} picture={me.avatar} size={24} />
              {update.isReady && <span className={styles.update} title={sidebarSays.updateReady} />}
            </>
          }
          className={styles.account}
          role="menu"
          side="above"
        >
          {(close) => <SidebarMenu of="account" workspace={workspace} close={close} onOpen={setDialog} />}
        </PopoverButton>
      </div>
      <SearchKeys to={searchPath(slug)} />
      {dialog !== null && <SidebarDialog dialog={dialog} workspace={workspace} onClose={() => setDialog(null)} />}
    </nav>
  );
}

/** Also those made here that the room doesn't know yet, or wouldn't take. */
function isMine(row: ChannelRow): boolean {
  return !row.isArchived && (row.isJoined || row.delivery !== "sent");
}
