// Asks once before something that hurts.
import type { ReactElement } from "react";
import { Button } from "./Button.tsx";
import { Dialog, DialogActions } from "./Dialog.tsx";
import { s } from "./strings-more.ts";

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly act: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ title, text, act, onConfirm, onClose }: ConfirmProps): ReactElement {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <DialogActions>
        <Button onClick={onClose}>{s.cancel}</Button>
        <Button
          look="danger"
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
