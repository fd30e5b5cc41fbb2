// A text that the browser didn't let us copy, selected, so that its keys or its menu can.
import { useEffect, useRef, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { TextArea } from "../ui/TextField.tsx";
import { copySays as says } from "../ui/strings-copy.ts";
import { t } from "../ui/strings.ts";

interface CopyByHandProps {
  readonly text: string;
  readonly onClose: () => void;
}

/** In a root of its own: one copies on many a screen, and none of them is to know of this before it happens. */
export function showUncopied(text: string): void {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  const close = (): void => {
    root.unmount();
    place.remove();
  };
  root.render(<CopyByHand text={text} onClose={close} />);
}

function CopyByHand({ text, onClose }: CopyByHandProps): ReactElement {
  const area = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, []);

  return (
    <Dialog title={says.title} onClose={onClose}>
      <p>{says.text}</p>
      <TextArea ref={area} aria-label={says.label} readOnly value={text} />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {t.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
