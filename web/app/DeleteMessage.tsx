// Asks before a message is deleted.
import type { ReactElement } from "react";
import { answerNoMore } from "../features/answer-no-more.ts";
import { letGo, ownerOf, wordsHeld } from "../features/composer/last-words.ts";
import { useView } from "../features/services.ts";
import { listedMessage } from "../features/timeline/listed-message.ts";
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
  const { title, text, unsent, act } = s.deleteMessage;
  // It may be delivered while one is asked.
  const now = listedMessage(useView(around.timeline), message.id) ?? message;

  async function remove(): Promise<void> {
    const mending = ownerOf(message.author, message.id);
    const given = wordsHeld(mending)[0]?.text;
    const removed = await around.commands.remove(around.channel, message.id);
    if (!removed.ok) around.onNotice(removed.error.detail);
    if (removed.ok && now.seq === null) {
      // As by "Discard": what was being typed in place of what nobody has is nowhere else to be.
      if (wordsHeld(mending)[0]?.text === given) letGo(mending, message.id);
      answerNoMore(ownerOf(message.author, around.channel), message.id);
    }
    // Somebody who went on elsewhere while it was stored types there.
    if (document.activeElement !== document.body) return;
    // The button that had the focus is gone with what could be done with the message.
    document.querySelector<HTMLElement>(`article[data-message-id="${CSS.escape(message.id)}"]`)?.focus();
  }

  return (
    <Confirm
      title={title}
      text={now.seq === null ? unsent : text}
      act={act}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
