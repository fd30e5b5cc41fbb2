// The panel beside the timeline: the people or the pins; one at a time.
import type { ReactElement } from "react";
import type { ReadyChannel } from "../features/channels/ChannelHeader.tsx";
import { MembersPanel } from "../features/members/MembersPanel.tsx";
import { PinsPanel } from "../features/pins/PinsPanel.tsx";
import { nameOf, usePeople } from "../features/timeline/people.ts";
import type { PresenceSnapshot, WorkspaceSnapshot } from "../store/snapshots.ts";
import { messageActions, type ActionsAround } from "./channel-actions.ts";
import styles from "./ChannelScreen.module.css";

interface ChannelPanelProps {
  readonly of: "members" | "pins";
  readonly snapshot: ReadyChannel;
  readonly workspace: WorkspaceSnapshot;
  readonly presence: PresenceSnapshot;
  readonly around: ActionsAround;
  readonly onClose: () => void;
}

export function ChannelPanel(props: ChannelPanelProps): ReactElement {
  const { of, snapshot, workspace, presence, around, onClose } = props;
  const people = usePeople();
  return (
    <div className={styles.panel}>
      {of === "members" ? (
        <MembersPanel snapshot={snapshot} workspace={workspace} presence={presence} onClose={onClose} />
      ) : (
        <PinsPanel
          channel={snapshot.row.id}
          nameOf={(user) => nameOf(people, user)}
          onGoTo={around.onGoTo}
          onUnpin={(message) => messageActions(around).pin(message, false)}
          onClose={onClose}
        />
      )}
    </div>
  );
}
