// A screen whose code can't be had: not on this device yet, and no network; or, after an update, not any more.
import { use, type ReactElement } from "react";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { t } from "../ui/strings.ts";
import styles from "./NotLoaded.module.css";
import { ClientContext, useView } from "./services.ts";

const NONE = { subscribe: () => () => undefined, snapshot: () => null };

export function NotLoaded(): ReactElement {
  const client = use(ClientContext);
  const isGone = useView(client?.update ?? NONE)?.isNeeded === true;
  const { title, text } = isGone ? t.updated : t.notLoaded;
  const reload = isGone && client !== null ? client.applyUpdate : () => location.reload();
  return (
    <EmptyState title={title} action={<Button onClick={reload}>{t.broken.reload}</Button>}>
      {text}
    </EmptyState>
  );
}

/** Of a menu whose code can't be had: an item of it, so that it has one. */
export function NotLoadedItem(): ReactElement {
  return (
    <button type="button" role="menuitem" aria-disabled="true" className={styles.item}>
      {t.notLoaded.title}. {t.notLoaded.text}
    </button>
  );
}
