// The timeline with what its messages' actions do here: nothing one writes with, so it comes behind the composer.
import { useMemo, type ComponentProps, type ReactElement } from "react";
import { Timeline } from "../features/timeline/Timeline.tsx";
import type { WorkspaceSnapshot } from "../store/snapshots.ts";
import { later } from "../ui/later.tsx";
import { messageActions, type ActionsAround } from "./channel-actions.ts";

const FirstSteps = later(async () => (await import("../features/channels/FirstSteps.tsx")).FirstSteps);

interface ChannelTimelineProps extends Omit<ComponentProps<typeof Timeline>, "actions" | "whenEmpty"> {
  /** The same object while nothing of it changes: each message compares what is made of it. */
  readonly around: ActionsAround;
  readonly workspace: WorkspaceSnapshot;
}

export function ChannelTimeline({ around, workspace, ...props }: ChannelTimelineProps): ReactElement {
  const actions = useMemo(() => messageActions(around), [around]);
  return <Timeline {...props} actions={actions} whenEmpty={<FirstSteps id={around.channel} workspace={workspace} />} />;
}
