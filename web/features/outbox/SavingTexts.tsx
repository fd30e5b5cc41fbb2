// What was sent and isn't on disk yet, where the disk takes its time: it doesn't wait in the outbox, nor was it delivered.
import type { ReactElement } from "react";
import { ClockIcon } from "../../ui/icons-beside.tsx";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { unfinishedSays } from "../../ui/strings-unfinished.ts";
import type { SavingText } from "../being-saved.ts";
import { Link } from "../navigation.tsx";
import { channelPath } from "../paths.ts";
import { usePlace } from "../services.ts";
import styles from "./Outbox.module.css";

export function SavingTexts({ texts }: { readonly texts: readonly SavingText[] }): ReactElement {
  const { slug } = usePlace();
  return (
    <ul className={styles.list}>
      {texts.map(({ words: { id, text }, row }) => (
        <li key={id} className={styles.item}>
          <p className={styles.head}>
            <strong>{says.change["message.post"]}</strong>
            <Link href={channelPath(slug, row.id)}>#{row.name}</Link>
          </p>
          <p className={styles.text} dir="auto">
            {text}
          </p>
          <p className={styles.state}>
            <ClockIcon size={14} />
            <span>{unfinishedSays.saving}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
