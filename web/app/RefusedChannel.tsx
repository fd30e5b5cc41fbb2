// A channel made here that the workspace wouldn't take: why, and where to mend it. What was written in it waits with it.
import type { ReactElement } from "react";
import { Link } from "../features/navigation.tsx";
import { outboxPath } from "../features/paths-more.ts";
import { usePlace } from "../features/services.ts";
import type { ChannelRow } from "../store/snapshots.ts";
import { AlertIcon } from "../ui/icons-beside.tsx";
import { s } from "../ui/strings-more.ts";
import styles from "./RefusedChannel.module.css";

export function RefusedChannel({ row }: { readonly row: ChannelRow }): ReactElement {
  const { slug } = usePlace();
  return (
    <div className={styles.bar} role="status">
      <AlertIcon size={14} />
      <p className={styles.reason}>
        {s.refusedChannel.text(row.name, row.refusal?.detail ?? "")} {s.refusedChannel.kept}
      </p>
      <Link href={outboxPath(slug)}>{s.refusedChannel.mend}</Link>
    </div>
  );
}
