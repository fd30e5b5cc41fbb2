// What can be done with a channel, by whom may.
import type { ReactElement } from "react";
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
}

export function ChannelMenu({ snapshot, close, onOpen, onMembers }: ChannelMenuProps): ReactElement {
  const { commands } = usePlace().client;
  const { row, members, mayRename, maySetTopic, mayArchive } = snapshot;
  const items: MenuAction[] = [
    { label: t.channel.members(members.length), icon: <PeopleIcon />, onSelect: onMembers },
    {
      label: row.isStarred ? t.channel.unstar : t.channel.star,
      icon: <StarIcon />,
      onSelect: () => void commands.star(row.id, !row.isStarred),
    },
  ];
  if (maySetTopic) items.push({ label: t.channel.topic, icon: <PencilIcon />, onSelect: () => onOpen("topic") });
  if (mayRename) items.push({ label: t.channel.rename, onSelect: () => onOpen("rename") });
  if (!row.isJoined && !row.isArchived) {
    items.push({ label: t.channel.join, icon: <PlusIcon />, onSelect: () => void commands.joinChannel(row.id) });
  }
  const endings: MenuAction[] = [];
  if (row.isJoined) endings.push({ label: t.channel.leave, icon: <LeaveIcon />, onSelect: () => onOpen("leave") });
  if (mayArchive && row.isArchived) {
    const bringBack = (): void => void commands.archiveChannel(row.id, false);
    endings.push({ label: t.channel.unarchive, icon: <ArchiveIcon />, onSelect: bringBack });
  } else if (mayArchive) {
    const ask = (): void => onOpen("archive");
    endings.push({ label: t.channel.archive, icon: <ArchiveIcon />, isDangerous: true, onSelect: ask });
  }
  return <MenuItems groups={[items, endings]} close={close} />;
}
