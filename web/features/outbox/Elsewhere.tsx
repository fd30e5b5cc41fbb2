// What waits, or needs attention, in the other workspaces of the person, and the way there.
import type { ReactElement } from "react";
import type { OutboxElsewhere } from "../../store/snapshots.ts";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { Link } from "../navigation.tsx";
import { outboxPath } from "../paths-more.ts";
import { SaveUnsent } from "../SaveUnsent.tsx";
import { useClient, useView } from "../services.ts";
import styles from "./Outbox.module.css";

export function Elsewhere({ counts }: { readonly counts: readonly OutboxElsewhere[] }): ReactElement {
  const session = useView(useClient().account.session);
  const known = session.state === "nobody" ? [] : session.workspaces;
  const placed = counts.map((count) => ({ ...count, at: known.find(({ id }) => id === count.workspace) }));
  return (
    <>
      <ul className={styles.elsewhere} aria-label={says.elsewhere.label}>
        {placed.map(({ workspace, waitingCount, refusedCount, at }) => (
          <li key={workspace}>
            {at === undefined ? (
              says.elsewhere.notIn
            ) : (
              <Link href={outboxPath(at.slug)}>{says.elsewhere.in(at.name)}</Link>
            )}
            : {says.counted(waitingCount, refusedCount)}
          </li>
        ))}
      </ul>
      {placed.some(({ at }) => at === undefined) && <SaveUnsent />}
    </>
  );
}
