// Asks before a message is deleted.
import type { ReactElement } from "react";
import type { TimelineMessage } from "../store/timeline-snapshots.ts";
import { Confirm } from "../ui/Confirm.tsx";
import { s } from "../ui/strings-more.ts";
import type { ActionsAround } from "./channel-actions.ts";

interface DeleteMessageProps {
  readonly message: TimelineMessage;
  readonly around: ActionsAround;
  readonly onClose: () => void;
}

export function DeleteMessage({ message, around, onClose }: DeleteMessageProps): ReactElement {
  const { title, text, act } = s.deleteMessage;

  async function remove(): Promise<void> {
    const removed = await around.commands.remove(around.channel, message.id);
    if (!removed.ok) around.onNotice(removed.error.detail);
    // Somebody who went on elsewhere while it was stored types there.
    if (document.activeElement !== document.body) return;
    // The button that had the focus is gone with what could be done with the message.
    document.querySelector<HTMLElement>(`article[data-message-id="${CSS.escape(message.id)}"]`)?.focus();
  }

  return (
    <Confirm
      title={title}
      text={text(message.seq !== null)}
      act={act}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
