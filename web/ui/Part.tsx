// A part of a screen that tells several things: its heading, and what it says.
import type { ReactElement, ReactNode } from "react";
import styles from "./Part.module.css";

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
