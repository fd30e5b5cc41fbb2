// For screen readers only.
import type { ReactElement, ReactNode } from "react";
import styles from "./VisuallyHidden.module.css";

export function VisuallyHidden({ children, id }: { readonly children: ReactNode; readonly id?: string }): ReactElement {
  return (
    <span id={id} className={styles.hidden}>
      {children}
    </span>
  );
}
