// Where no Outbox can be opened, for one isn't in its workspace any more: that what one wrote there is kept, and a way out.
import type { ReactElement } from "react";
import { door } from "../ui/strings-door.ts";
import { unfinishedSays } from "../ui/strings-unfinished.ts";
import { useUnfinished } from "./composer/use-unfinished.ts";
import { NotedTexts } from "./outbox/NotedTexts.tsx";
import { useLost } from "./outbox/use-lost.ts";
import { SaveUnsent } from "./SaveUnsent.tsx";
import styles from "./sign-in/Form.module.css";
import { totalsOf, useUnsent } from "./unsent.ts";

export function KeptUnsent(): ReactElement | null {
  const unsent = useUnsent();
  const { texts } = useUnfinished();
  const { textCount: notedCount } = useLost();
  if (unsent.state === "loading") return null;
  const { count, textCount } = totalsOf(unsent.value, texts);
  const isUnread = unsent.value.isUnread === true;
  if (count + textCount + notedCount === 0 && !isUnread) return null;
  return (
    <section className={styles.form} aria-label={door.kept.label}>
      {count > 0 && <p>{door.kept.text(count)}</p>}
      {textCount > 0 && <p>{unfinishedSays.onlyHere(textCount)}</p>}
      <NotedTexts />
      {isUnread && <p>{door.kept.unread}</p>}
      <p>
        <SaveUnsent />
      </p>
    </section>
  );
}
