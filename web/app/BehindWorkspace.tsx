// What a workspace does that nobody waits for: it comes behind the first screen.
import type { ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import { useLeftTexts } from "../features/composer/use-left-texts.ts";
import { useSentElsewhere } from "../features/composer/use-sent-elsewhere.ts";
import type { ChannelsSnapshot, WorkspaceSnapshot } from "../store/snapshots.ts";
import { TabMark } from "./TabMark.tsx";

interface BehindWorkspaceProps {
  readonly workspace: WorkspaceSnapshot;
  readonly channels: ChannelsSnapshot | null;
  /** The channel on screen. */
  readonly current: ChannelId | null;
}

export function BehindWorkspace({ workspace, channels, current }: BehindWorkspaceProps): ReactElement {
  const rows = channels?.channels ?? [];
  useLeftTexts(
    workspace.me.user,
    rows.map(({ id }) => id),
    current,
  );
  useSentElsewhere(workspace.me.user);
  const here = rows.find(({ id }) => id === current)?.name;
  return <TabMark channels={channels} here={here} workspace={workspace.ref.name} />;
}
