// What can be done with a channel, by whom may.
import type { ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import { PeopleIcon } from "../../ui/icons.tsx";
import { PencilIcon, PlusIcon } from "../../ui/icons-beside.tsx";
import { ArchiveIcon, LeaveIcon, StarIcon } from "../../ui/icons-more.tsx";
import { MenuItems, type MenuAction } from "../../ui/Menu.tsx";
import { t } from "../../ui/strings.ts";
import { usePlace } from "../services.ts";
import type { OpenChannelDialog, ReadyChannel } from "./ChannelHeader.tsx";

interface ChannelMenuProps {
  readonly snapshot: ReadyChannel;
  readonly close: () => void;
  readonly onOpen: (dialog: OpenChannelDialog) => void;
  readonly onMembers: () => void;
  readonly onRun: (command: Promise<Result<unknown, Failure>>) => void;
}

export function ChannelMenu({ snapshot, close, onOpen, onMembers, onRun }: ChannelMenuProps): ReactElement {
  const { commands } = usePlace().client;
  const { row, members, mayRename, maySetTopic, mayArchive } = snapshot;
  const items: MenuAction[] = [
    { label: t.channel.members(members.length), icon: <PeopleIcon />, onSelect: onMembers },
    {
      label: row.isStarred ? t.channel.unstar : t.channel.star,
      icon: <StarIcon />,
      onSelect: () => onRun(commands.star(row.id, !row.isStarred)),
    },
  ];
  if (maySetTopic) items.push({ label: t.channel.topic, icon: <PencilIcon />, onSelect: () => onOpen("topic") });
  if (mayRename) items.push({ label: t.channel.rename, onSelect: () => onOpen("rename") });
  if (!row.isJoined && !row.isArchived) {
    items.push({ label: t.channel.join, icon: <PlusIcon />, onSelect: () => onRun(commands.joinChannel(row.id)) });
  }
  const endings: MenuAction[] = [];
  if (row.isJoined) endings.push({ label: t.channel.leave, icon: <LeaveIcon />, onSelect: () => onOpen("leave") });
  if (mayArchive && row.isArchived) {
    const bringBack = (): void => onRun(commands.archiveChannel(row.id, false));
    endings.push({ label: t.channel.unarchive, icon: <ArchiveIcon />, onSelect: bringBack });
  } else if (mayArchive) {
    const ask = (): void => onOpen("archive");
    endings.push({ label: t.channel.archive, icon: <ArchiveIcon />, isDangerous: true, onSelect: ask });
  }
  return <MenuItems groups={[items, endings]} close={close} />;
}
