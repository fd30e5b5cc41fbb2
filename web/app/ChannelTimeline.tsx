// The timeline with what its messages' actions do here: nothing one writes with, so it comes behind the composer.
import { useEffect, useMemo, useState, type ComponentProps, type ReactElement } from "react";
import type { MessageId } from "#protocol/ids.ts";
import { focusComposer, isTyped } from "../features/composer/focus.ts";
import { ownerOf, wordsHeld, type Words } from "../features/composer/last-words.ts";
import { messageIn } from "../features/timeline/message-in.ts";
import { Timeline } from "../features/timeline/Timeline.tsx";
import type { WorkspaceSnapshot } from "../store/snapshots.ts";
import type { TimelineMessage } from "../store/timeline-snapshots.ts";
import { later, laterCode } from "../ui/later.tsx";
import { messageActions, type ActionsAround } from "./channel-actions.ts";

const DeleteMessage = later(() => import("./DeleteMessage.tsx"), "DeleteMessage");
/** Keys wait for no code. */
const useEditSending = laterCode(() => import("../features/timeline/EditSending.tsx"));
const FirstSteps = later(() => import("../features/channels/FirstSteps.tsx"), "FirstSteps");
const InvitePeople = later(() => import("../features/channels/InvitePeople.tsx"), "InvitePeople");

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
  const { channel, commands } = around;
  const { editing, window } = props;
  const { user } = workspace.me;
  /** What is being edited, if it was still being stored when that began. */
  const [begun, setBegun] = useState<{ readonly editing: MessageId | null; readonly sent?: Words }>({ editing: null });
  if (begun.editing !== editing) {
    const sent = wordsHeld(ownerOf(user, channel)).find(({ id }) => id === editing);
    setBegun({ editing, ...(sent && messageIn(window.snapshot(), sent.id) === undefined && { sent }) });
  }
  const { sent } = begun;

  // Whoever starts typing means the composer, also from a button or a link, where a press left the focus.
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (document.activeElement?.matches("body, a, button") && isTyped(event)) focusComposer();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  const sendingCode = useEditSending(true);
  // Not within the first steps, which go with the first message: its link is shown once.
  const [isInviting, setInviting] = useState(false);
  const firstSteps = <FirstSteps id={channel} workspace={workspace} onInvite={() => setInviting(true)} />;
  return (
    <>
      <Timeline {...props} actions={actions} isEditedBelow={sent !== undefined} whenEmpty={firstSteps} />
      {sent !== undefined && sendingCode !== null && (
        <sendingCode.EditSending
          sent={sent}
          me={user}
          window={window}
          actions={actions}
          isPosted={async () => {
            const posted = await commands.isPosted(channel, sent.id);
            return !posted.ok || posted.value;
          }}
        />
      )}
      {removing !== null && <DeleteMessage message={removing} around={around} onClose={() => setRemoving(null)} />}
      {isInviting && <InvitePeople workspace={workspace} onClose={() => setInviting(false)} />}
    </>
  );
}
