// The timeline with what its messages' actions do here: nothing one writes a message with, so it comes behind the composer.
import { useEffect, useMemo, useState, type ComponentProps, type ReactElement } from "react";
import { focusComposer, isTyped } from "../features/composer/focus.ts";
import { Timeline } from "../features/timeline/Timeline.tsx";
import type { WorkspaceSnapshot } from "../store/snapshots.ts";
import type { TimelineMessage } from "../store/timeline-snapshots.ts";
import { later } from "../ui/later.tsx";
import { laterDialog } from "../ui/later-dialog.tsx";
import { messageActions, type ActionsAround } from "./channel-actions.ts";
import { useEditedBelow } from "./use-edited-below.ts";

const DeleteMessage = laterDialog(() => import("./DeleteMessage.tsx"), "DeleteMessage");
const FirstSteps = later(() => import("../features/channels/FirstSteps.tsx"), "FirstSteps");
const InvitePeople = laterDialog(() => import("../features/channels/InvitePeople.tsx"), "InvitePeople");

interface ChannelTimelineProps extends Omit<
  ComponentProps<typeof Timeline>,
  "actions" | "whenEmpty" | "isEditedBelow"
> {
  /** The same object while nothing of it changes: each message compares what is made of it. */
  readonly around: ActionsAround;
  readonly workspace: WorkspaceSnapshot;
}

export function ChannelTimeline({ around, workspace, ...props }: ChannelTimelineProps): ReactElement {
  const [removing, setRemoving] = useState<TimelineMessage | null>(null);
  const actions = useMemo(() => messageActions(around, setRemoving), [around]);
  const { channel } = around;
  const { user } = workspace.me;
  const below = useEditedBelow(around, user, props.editing);

  // Whoever starts typing means the composer, also from a button or a link, where a press left the focus.
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (document.activeElement?.matches("body, a, button") && isTyped(event)) focusComposer();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  // Not within the first steps, which go with the first message: its link is shown once.
  const [isInviting, setInviting] = useState(false);
  const firstSteps = <FirstSteps id={channel} workspace={workspace} onInvite={() => setInviting(true)} />;
  return (
    <>
      <Timeline {...props} actions={actions} isEditedBelow={below !== null} whenEmpty={firstSteps} />
      {below !== null && (
        <below.EditSending key={below.sent.id} sent={below.sent} me={user} window={props.window} actions={actions} />
      )}
      {removing !== null && <DeleteMessage message={removing} around={around} onClose={() => setRemoving(null)} />}
      {isInviting && <InvitePeople workspace={workspace} onClose={() => setInviting(false)} />}
    </>
  );
}
