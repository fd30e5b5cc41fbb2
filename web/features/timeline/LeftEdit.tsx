// What one was writing in a message's place when one looked elsewhere, where it may not be edited any more: it was deleted
// or its channel archived meanwhile, and nothing offers to edit it. Its words stand there all the same, with a way out.
import { useState, type ReactElement } from "react";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { ownerOf, wordsHeld } from "../composer/last-words.ts";
import { useLeftEdit } from "../composer/use-left-edit.ts";
import type { MessageActions } from "./actions.ts";
import { EditMessage } from "./EditMessage.tsx";

interface LeftEditProps {
  readonly message: TimelineMessage;
  readonly actions: MessageActions;
}

export function LeftEdit({ message, actions }: LeftEditProps): ReactElement | null {
  const owner = ownerOf(message.author, message.id);
  const [isLeft, setLeft] = useState(() => wordsHeld(owner).length > 0);

  useLeftEdit(owner, () => setLeft(true));

  if (!isLeft) return null;
  return <EditMessage message={message} actions={{ ...actions, stopEditing: () => setLeft(false) }} />;
}
