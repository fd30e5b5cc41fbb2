// The page of every screen outside a workspace: the mark, one heading, one thing to do.
import type { ReactElement, ReactNode } from "react";
import { ScreenHeading } from "../../ui/ScreenHeading.tsx";
import { door } from "../../ui/strings-door.ts";
import { Unreached } from "./Unreached.tsx";
import styles from "./Frame.module.css";

interface FrameProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}

export function Frame({ title, lead, children }: FrameProps): ReactElement {
  return (
    <main className={styles.page}>
      <title>{`${title} · ${door.app}`}</title>
      <div className={styles.sheet}>
        <p className={styles.brand}>
          <img src="/icons/icon.svg" alt="" width="40" height="40" />
          {door.app}
        </p>
        <ScreenHeading className={styles.title}>{title}</ScreenHeading>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {!isSecureContext && (
          <p role="alert" className={styles.insecure}>
            {door.insecure}
          </p>
        )}
        <Unreached />
        {children}
      </div>
    </main>
  );
}
