// A modal dialog on the platform's <dialog>: it traps focus, closes on Escape and gives focus back by itself.
import { useEffect, useId, useRef, useState, type ReactElement, type ReactNode } from "react";
import { IconButton } from "./Button.tsx";
import { CloseIcon } from "./icons.tsx";
import { t } from "./strings.ts";
import styles from "./Dialog.module.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, children }: DialogProps): ReactElement {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [isTyped, setTyped] = useState(false);

  useEffect(() => {
    const dialog = box.current;
    const from = document.activeElement;
    const around = from?.matches(":focus-visible") ? from.parentElement?.closest<HTMLElement>("[tabindex]") : null;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // A button that comes with the focus of what it acts on went when that lost it.
      if (document.activeElement === document.body) around?.focus();
    };
  }, []);

  return (
    <dialog
      ref={box}
      className={styles.dialog}
      // A press beside it closes it too, where the browser knows how; not with what was typed in it.
      closedby={isTyped ? "closerequest" : "any"}
      onInput={() => setTyped(true)}
      aria-labelledby={titleId}
      onClose={(event) => {
        // The event comes late: a dialog that was opened again meanwhile stays.
        if (!event.currentTarget.open) onClose();
      }}
    >
      <div className={styles.body}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {children}
        {/* Last, so that the dialog begins at its first field. */}
        <IconButton label={t.close} className={styles.close} onClick={() => box.current?.close()}>
          <CloseIcon />
        </IconButton>
      </div>
    </dialog>
  );
}

/** The row of buttons at the foot, the one that does it last. */
export function DialogActions({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={styles.actions}>{children}</div>;
}
