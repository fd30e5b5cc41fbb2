// The timeline with what its messages' actions do here: nothing one writes with, so it comes behind the composer.
import { useMemo, useState, type ComponentProps, type ReactElement } from "react";
import { Timeline } from "../features/timeline/Timeline.tsx";
import type { WorkspaceSnapshot } from "../store/snapshots.ts";
import type { TimelineMessage } from "../store/timeline-snapshots.ts";
import { later } from "../ui/later.tsx";
import { messageActions, type ActionsAround } from "./channel-actions.ts";

const DeleteMessage = later(() => import("./DeleteMessage.tsx"), "DeleteMessage");
const FirstSteps = later(() => import("../features/channels/FirstSteps.tsx"), "FirstSteps");
const InvitePeople = later(() => import("../features/channels/InvitePeople.tsx"), "InvitePeople");

interface ChannelTimelineProps extends Omit<ComponentProps<typeof Timeline>, "actions" | "whenEmpty"> {
  /** The same object while nothing of it changes: each message compares what is made of it. */
  readonly around: ActionsAround;
  readonly workspace: WorkspaceSnapshot;
}

export function ChannelTimeline({ around, workspace, ...props }: ChannelTimelineProps): ReactElement {
  const [removing, setRemoving] = useState<TimelineMessage | null>(null);
  const actions = useMemo(() => messageActions(around, setRemoving), [around]);
  // Not within the first steps, which go with the first message: its link is shown once.
  const [isInviting, setInviting] = useState(false);
  const firstSteps = <FirstSteps id={around.channel} workspace={workspace} onInvite={() => setInviting(true)} />;
  return (
    <>
      <Timeline {...props} actions={actions} whenEmpty={firstSteps} />
      {removing !== null && <DeleteMessage message={removing} around={around} onClose={() => setRemoving(null)} />}
      {isInviting && <InvitePeople workspace={workspace} onClose={() => setInviting(false)} />}
    </>
  );
}
