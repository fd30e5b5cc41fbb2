// What channel this is, what it is about, who is in it, and what can be done with it.
import { useState, type ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import { Link } from "../navigation.tsx";
import type { ChannelSnapshot, PresenceSnapshot } from "../../store/snapshots.ts";
import { BackIcon, HashIcon, LockIcon, MoreIcon, PeopleIcon } from "../../ui/icons.tsx";
import { usePhone } from "../../ui/media.ts";
import { t } from "../../ui/strings.ts";
import { numberOf } from "../../ui/number.ts";
import { later } from "../../ui/later.tsx";
import { NotLoadedItem } from "../NotLoaded.tsx";
import { workspacePath } from "../paths.ts";
import { usePlace } from "../services.ts";
import { LaterPill } from "./later-pill.ts";
import styles from "./ChannelHeader.module.css";

/** Like the sidebar's: nothing one writes with. */
const PopoverButton = later(() => import("../../ui/Popover.tsx"), "PopoverButton");
const ChannelMenu = later(() => import("./ChannelMenu.tsx"), "ChannelMenu", NotLoadedItem);
/** In one piece with the menu that asks for it. */
const ChannelDialog = later(() => import("./ChannelDialog.tsx"), "ChannelDialog");

export type ReadyChannel = Extract<ChannelSnapshot, { state: "ready" }>;
export type OpenChannelDialog = "topic" | "rename" | "archive" | "leave";

interface ChannelHeaderProps {
  readonly snapshot: ReadyChannel;
  readonly presence: PresenceSnapshot;
  readonly isShowingMembers: boolean;
  readonly onToggleMembers: () => void;
  readonly onPins: () => void;
  /** What can't be done is told where there is room for it. */
  readonly onRun: (command: Promise<Result<unknown, Failure>>) => void;
}

export function ChannelHeader({
  snapshot,
  presence,
  isShowingMembers,
  onToggleMembers,
  onPins,
  onRun,
}: ChannelHeaderProps): ReactElement {
  const { slug } = usePlace();
  const isPhone = usePhone();
  const [dialog, setDialog] = useState<OpenChannelDialog | null>(null);
  const { row, channel } = snapshot;
  const members = snapshot.members.filter(({ isDeactivated }) => !isDeactivated);
  const here = members.filter(({ user }) => presence.present.has(user)).length;
  const membersLabel = t.channel.members(members.length, here);

  return (
    <header className={styles.header}>
      {isPhone && (
        <Link href={workspacePath(slug)} className={styles.back} aria-label={t.channel.allChannels}>
          <BackIcon />
        </Link>
      )}
      <h1 className={styles.name}>
        {row.access === "private" ? <LockIcon /> : <HashIcon />}
        <span className={styles.clip}>{row.name}</span>
      </h1>
      {!isPhone && (
        <p className={styles.topic} title={channel.topic}>
          {channel.topic}
        </p>
      )}
      {isPhone && <LaterPill isBrief />}
      <div className={styles.tools}>
        <button
          type="button"
          className={styles.members}
          aria-label={membersLabel}
          title={membersLabel}
          aria-pressed={isShowingMembers}
          onClick={onToggleMembers}
        >
          <PeopleIcon />
          {numberOf(members.length)}
        </button>
        <PopoverButton label={t.channel.menu} icon={<MoreIcon />} role="menu">
          {(close) => (
            <ChannelMenu
              snapshot={snapshot}
              close={close}
              onOpen={setDialog}
              onMembers={onToggleMembers}
              onPins={onPins}
              onRun={onRun}
            />
          )}
        </PopoverButton>
      </div>
      {dialog !== null && <ChannelDialog dialog={dialog} snapshot={snapshot} onClose={() => setDialog(null)} />}
    </header>
  );
}
