// Edits that were begun and not finished, also of messages that can't be seen any more: their words, and a way out.
import type { ReactElement } from "react";
import { Button } from "../../ui/Button.tsx";
import { acts } from "../../ui/strings-actions.ts";
import { unfinishedSays as says } from "../../ui/strings-unfinished.ts";
import type { UsedUnfinished } from "../composer/use-unfinished.ts";
import { copy } from "../copy.ts";
import { Link } from "../navigation.tsx";
import { channelPath } from "../paths.ts";
import { usePlace, useView } from "../services.ts";
import styles from "./Outbox.module.css";

interface UnfinishedEditsProps extends Pick<UsedUnfinished, "giveUp"> {
  readonly edits: UsedUnfinished["texts"];
}

export function UnfinishedEdits({ edits, giveUp }: UnfinishedEditsProps): ReactElement {
  const { slug, client } = usePlace();
  const channels = useView(client.channels);
  const rows = channels.state === "ready" ? channels.value.channels : [];
  return (
    <section className={styles.lost} aria-label={says.title}>
      <h2 className={styles.title}>{says.title}</h2>
      <p className={styles.lead}>{says.lead}</p>
      <ul className={styles.list}>
        {edits.map((edit) => {
          const row = rows.find(({ id }) => id === edit.channel);
          return (
            <li key={edit.place} className={styles.item}>
              <p className={styles.head}>
                <strong>{says.kind}</strong>
                {row !== undefined && <Link href={channelPath(slug, row.id)}>#{row.name}</Link>}
              </p>
              <p className={styles.text} dir="auto">
                {edit.text}
              </p>
              <div className={styles.ways}>
                {row !== undefined && edit.of === edit.id && (
                  <Link href={channelPath(slug, row.id, edit.id)}>{says.show}</Link>
                )}
                <Button onClick={() => void copy(edit.text)}>{acts.copy}</Button>
                <Button look="danger" onClick={() => giveUp(edit)}>
                  {acts.discard}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
