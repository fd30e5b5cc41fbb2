// Whether what is on screen is the present, in two words. Always there, never over anything.
import type { ReactElement } from "react";
import { Link } from "../navigation.tsx";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { connectionWords } from "../../ui/connection-words.ts";
import { Count } from "../../ui/Count.tsx";
import { c } from "../../ui/strings-connection.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { SIGN_IN, STATUS } from "../paths.ts";
import { usePlace, useView } from "../services.ts";
import styles from "./ConnectionPill.module.css";

type Shown = "live" | "catching-up" | "reconnecting" | "offline" | "signed-out";

const SHOWN: Readonly<Record<ConnectionSnapshot["state"], Shown>> = {
  live: "live",
  "catching-up": "catching-up",
  connecting: "reconnecting",
  reconnecting: "reconnecting",
  offline: "offline",
  "signed-out": "signed-out",
  misconfigured: "offline",
};

interface ConnectionPillProps {
  /** Where there is little room: the number that waits, without its word. */
  readonly isBrief?: boolean;
}

export function ConnectionPill({ isBrief = false }: ConnectionPillProps): ReactElement {
  const { client } = usePlace();
  const connection = useView(client.connection);
  const outbox = useView(client.outbox);
  const waiting = connection.state !== "live" && outbox.state === "ready" ? outbox.value.waitingCount : 0;
  const words = connectionWords(connection);
  return (
    <div className={styles.pill} role="status" aria-label={c.label} data-state={SHOWN[connection.state]}>
      <Link href={connection.state === "signed-out" ? SIGN_IN : STATUS} className={styles.link}>
        <span className={styles.dot} />
        <span className={styles.words}>
          {words}
          {waiting > 0 && !isBrief && `, ${c.waiting(waiting)}`}
        </span>
        {waiting > 0 && isBrief && (
          <>
            <VisuallyHidden>, {c.waiting(waiting)}</VisuallyHidden>
            <span aria-hidden="true">
              <Count value={waiting} look="waiting" />
            </span>
          </>
        )}
      </Link>
    </div>
  );
}
