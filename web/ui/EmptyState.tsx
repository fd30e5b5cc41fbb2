// Nothing here yet: says one thing and offers one button.
import type { ReactElement, ReactNode } from "react";
import styles from "./EmptyState.module.css";

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, action }: EmptyStateProps): ReactElement {
  return (
    <div className={styles.empty}>
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  );
}
