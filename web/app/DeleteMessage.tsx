// Asks before a message is deleted.
import type { ReactElement } from "react";
import { Confirm } from "../ui/Confirm.tsx";
import { s } from "../ui/strings-more.ts";

interface DeleteMessageProps {
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

export function DeleteMessage({ onDelete, onClose }: DeleteMessageProps): ReactElement {
  const { title, text, act } = s.deleteMessage;
  return <Confirm title={title} text={text} act={act} onConfirm={onDelete} onClose={onClose} />;
}
