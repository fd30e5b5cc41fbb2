// What was sent and isn't stored yet, where the disk takes its time: it has left the composer and is in no timeline, and
// must not be nowhere. Read from where it is held meanwhile (last-words.ts).
import { useEffect, useState, useSyncExternalStore, type ReactElement } from "react";
import { unfinishedSays } from "../../ui/strings-unfinished.ts";
import { held } from "./last-words.ts";
import styles from "./Composer.module.css";

/** Storing takes a few milliseconds. What comes and goes at once would only be noise. */
const SHOWN_AFTER_MS = 1_000;

export function Saving({ owner }: { readonly owner: string }): ReactElement {
  const words = useSyncExternalStore(subscribe, () => held.get(owner));
  return (
    <div className={styles.saving} role="status">
      {words?.map(({ id, isSent, text }) => isSent && <Late key={id} text={text} />)}
    </div>
  );
}

function Late({ text }: { readonly text: string }): ReactElement | null {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const waiting = setTimeout(() => setLate(true), SHOWN_AFTER_MS);
    return () => clearTimeout(waiting);
  }, []);
  if (!isLate) return null;
  return (
    <>
      <p className={styles.late}>{unfinishedSays.saving}</p>
      <p className={styles.words} dir="auto">
        {text}
      </p>
    </>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
