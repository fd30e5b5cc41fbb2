// This device's data was cleared between two visits, and what hadn't been sent with it: said until the person has seen it.
import type { ReactElement } from "react";
import { countOf, sinceOf } from "../../sync/waiting.ts";
import { Button } from "../../ui/Button.tsx";
import { momentOf } from "../../ui/moment.ts";
import { lostSays } from "../../ui/strings-lost.ts";
import { useToday } from "../../ui/today.ts";
import { Link } from "../navigation.tsx";
import { outboxPath } from "../paths-more.ts";
import { usePlace } from "../services.ts";
import styles from "../settings/StorageNotice.module.css";
import { useLost } from "./use-lost.ts";

export function LostNotice(): ReactElement | null {
  const { lost, dismiss } = useLost();
  const { slug } = usePlace();
  const today = useToday();
  if (lost === null || lost.isTold) return null;
  const since = momentOf(sinceOf(lost), today);
  return (
    <section className={styles.notice} aria-label={lostSays.label}>
      <p role="alert">{lostSays.notice(countOf(lost), lost.texts.length, since)}</p>
      {lost.texts.length > 0 && <Link href={outboxPath(slug)}>{lostSays.show}</Link>}
      <Button look="quiet" onClick={dismiss}>
        {lostSays.dismiss}
      </Button>
    </section>
  );
}
