// Asks before a message is deleted.
import type { ReactElement } from "react";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { t } from "../ui/strings.ts";
import { s } from "../ui/strings-more.ts";

interface DeleteMessageProps {
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

export function DeleteMessage({ onDelete, onClose }: DeleteMessageProps): ReactElement {
  return (
    <Dialog title={s.deleteMessage.title} onClose={onClose}>
      <p>{s.deleteMessage.text}</p>
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button
          look="danger"
          onClick={() => {
            onDelete();
            onClose();
          }}
        >
          {s.deleteMessage.act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
