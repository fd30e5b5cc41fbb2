// What can be done with a channel, by whom may.
import type { ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import { PeopleIcon } from "../../ui/icons.tsx";
import { PencilIcon, PinIcon } from "../../ui/icons-beside.tsx";
import { PlusIcon } from "../../ui/icons-sidebar.tsx";
import { ArchiveIcon, LeaveIcon, MuteIcon, StarIcon } from "../../ui/icons-more.tsx";
import { MenuItems, type MenuAction } from "../../ui/Menu.tsx";
import { s } from "../../ui/strings-more.ts";
import { t } from "../../ui/strings.ts";
import { usePlace } from "../services.ts";
import type { OpenChannelDialog, ReadyChannel } from "./ChannelHeader.tsx";

/** When a channel may notify. */
const LEVELS = ["all", "mentions", "none"] as const;

interface ChannelMenuProps {
  readonly snapshot: ReadyChannel;
  readonly close: () => void;
  readonly onOpen: (dialog: OpenChannelDialog) => void;
  readonly onMembers: () => void;
  readonly onPins: () => void;
  readonly onRun: (command: Promise<Result<unknown, Failure>>) => void;
}

export function ChannelMenu({ snapshot, close, onOpen, onMembers, onPins, onRun }: ChannelMenuProps): ReactElement {
  const { commands } = usePlace().client;
  const { channelMenu: says } = s;
  const { row, members, mayRename, maySetTopic, mayArchive } = snapshot;
  const items: MenuAction[] = [
    {
      label: t.channel.members(members.filter(({ isDeactivated }) => !isDeactivated).length),
      icon: <PeopleIcon />,
      onSelect: onMembers,
    },
    { label: s.pins.title, icon: <PinIcon />, onSelect: onPins },
  ];
  const mine: readonly MenuAction[] = [
    {
      label: row.isStarred ? says.unstar : says.star,
      icon: <StarIcon />,
      onSelect: () => onRun(commands.setPrefs(row.id, { starred: !row.isStarred })),
    },
    {
      label: row.isMuted ? says.unmute : says.mute,
      icon: <MuteIcon />,
      onSelect: () => onRun(commands.setPrefs(row.id, { muted: !row.isMuted })),
    },
  ];
  const levels = LEVELS.map((level): MenuAction => {
    return {
      label: says.levels[level],
      isChosen: row.level === level,
      onSelect: () => onRun(commands.setPrefs(row.id, { level })),
    };
  });
  if (maySetTopic) items.push({ label: says.topic, icon: <PencilIcon />, onSelect: () => onOpen("topic") });
  if (mayRename) items.push({ label: says.rename, onSelect: () => onOpen("rename") });
  if (!row.isJoined && !row.isArchived) {
    items.push({ label: says.join, icon: <PlusIcon />, onSelect: () => onRun(commands.joinChannel(row.id)) });
  }
  const endings: MenuAction[] = [];
  if (row.isJoined) endings.push({ label: says.leave, icon: <LeaveIcon />, onSelect: () => onOpen("leave") });
  if (mayArchive && row.isArchived) {
    const bringBack = (): void => onRun(commands.archiveChannel(row.id, false));
    endings.push({ label: says.unarchive, icon: <ArchiveIcon />, onSelect: bringBack });
  } else if (mayArchive) {
    const ask = (): void => onOpen("archive");
    endings.push({ label: says.archive, icon: <ArchiveIcon />, isDangerous: true, onSelect: ask });
  }
  return <MenuItems groups={[items, row.isJoined ? mine : [], row.isJoined ? levels : [], endings]} close={close} />;
}
