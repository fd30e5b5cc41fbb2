// What went wrong with a form as a whole; announced when it appears.
import type { ReactElement, ReactNode } from "react";
import styles from "./FormFault.module.css";

export function FormFault({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <p role="alert" className={styles.fault}>
      {children}
    </p>
  );
}
