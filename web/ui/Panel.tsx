// What stands beside the timeline: a bar with its name and the way out, and below it what scrolls.
import type { ReactElement, ReactNode } from "react";
import { IconButton } from "./Button.tsx";
import { CloseIcon } from "./icons.tsx";
import { t } from "./strings.ts";
import styles from "./Panel.module.css";

interface PanelProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function Panel({ title, onClose, children }: PanelProps): ReactElement {
  return (
    <aside className={styles.panel} aria-label={title} aria-busy={children === undefined}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <IconButton label={t.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <div className={styles.scroll}>{children}</div>
    </aside>
  );
}
