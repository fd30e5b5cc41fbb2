// The frame of a screen that isn't a channel: a bar with its name and tools, then its contents. On a phone, the way back.
import { useLayoutEffect, type ReactElement, type ReactNode } from "react";
import { BackIcon } from "../ui/icons.tsx";
import { IconButton } from "../ui/Button.tsx";
import { usePhone } from "../ui/media.ts";
import { ScreenHeading } from "../ui/ScreenHeading.tsx";
import { showTitle } from "../ui/shown-title.ts";
import { s } from "../ui/strings-more.ts";
import styles from "./Screen.module.css";

interface ScreenProps {
  readonly title: string;
  readonly tools?: ReactNode;
  /** Also where the sidebar isn't there to lead away. */
  readonly hasBack?: boolean;
  readonly children: ReactNode;
}

export function Screen({ title, tools, hasBack = false, children }: ScreenProps): ReactElement {
  const isPhone = usePhone();
  useLayoutEffect(() => showTitle(title), [title]);
  return (
    <section className={styles.screen} aria-label={title}>
      <header className={styles.bar}>
        {(isPhone || hasBack) && (
          <IconButton label={s.back} className={styles.back ?? ""} onClick={() => history.back()}>
            <BackIcon />
          </IconButton>
        )}
        <ScreenHeading className={styles.title}>{title}</ScreenHeading>
        {tools}
      </header>
      <div className={styles.scroll}>
        <div className={styles.content}>{children}</div>
      </div>
    </section>
  );
}
