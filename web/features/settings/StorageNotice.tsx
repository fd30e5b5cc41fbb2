// What a person must know of this device's storage, below what they read: it keeps nothing, was cleared meanwhile, or is
// out of space, which is said for as long as it lasts.
import { useState, type ReactElement } from "react";
import type { StorageNotice as AnyNotice } from "../../sync/client.ts";
import { Button } from "../../ui/Button.tsx";
import { o } from "../../ui/strings-offline.ts";
import { Link } from "../navigation.tsx";
import { OFFLINE } from "../paths-more.ts";
import styles from "./StorageNotice.module.css";

/** One that can't be read, and what went unsent, have bars of their own. */
type Notice = Exclude<AnyNotice, "broken" | "unsent-gone">;

export function StorageNotice({ notice }: { readonly notice: Notice }): ReactElement | null {
  const [dismissed, setDismissed] = useState<Notice | null>(null);
  if (dismissed === notice) return null;
  const isLasting = notice === "short" || notice === "full";
  return (
    <section className={styles.notice} aria-label={o.notice}>
      <p role={notice === "full" ? "alert" : "status"}>{o.says[notice]}</p>
      {isLasting ? (
        <Link href={OFFLINE}>{o.keepLess}</Link>
      ) : (
        <Button look="quiet" onClick={() => setDismissed(notice)}>
          {o.dismiss}
        </Button>
      )}
    </section>
  );
}
