// What a person must know of this device's storage, below what they read: it keeps nothing, or was cleared meanwhile.
import { useState, type ReactElement } from "react";
import type { StorageNotice as Notice } from "../../sync/client.ts";
import { Button } from "../../ui/Button.tsx";
import { o } from "../../ui/strings-offline.ts";
import styles from "./Offline.module.css";

export function StorageNotice({ notice }: { readonly notice: Notice }): ReactElement | null {
  const [dismissed, setDismissed] = useState<Notice | null>(null);
  if (dismissed === notice) return null;
  return (
    <section className={styles.notice} aria-label={o.notice}>
      <p role="status">{o[notice]}</p>
      <Button look="quiet" onClick={() => setDismissed(notice)}>
        {o.dismiss}
      </Button>
    </section>
  );
}
