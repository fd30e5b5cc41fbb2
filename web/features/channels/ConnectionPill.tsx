// Whether what is on screen is the present, in two words; where it isn't, since when, and the way back. Always there,
// never over anything.
import type { ReactElement } from "react";
import { Link } from "../navigation.tsx";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { connectionWords, connectionWordsBriefly } from "../../ui/connection-words.ts";
import { Count } from "../../ui/Count.tsx";
import { useSecondsUntil } from "../../ui/countdown.ts";
import { RefreshIcon } from "../../ui/icons-more.tsx";
import { momentOf } from "../../ui/moment.ts";
import { c } from "../../ui/strings-connection.ts";
import { useToday } from "../../ui/today.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { useWaiting } from "../being-saved.ts";
import { STATUS } from "../paths-more.ts";
import { SIGN_IN } from "../paths.ts";
import { usePlace, useView } from "../services.ts";
import styles from "./ConnectionPill.module.css";

type Shown = "live" | "catching-up" | "reconnecting" | "offline" | "signed-out";

const SHOWN: Readonly<Record<ConnectionSnapshot["state"], Shown>> = {
  live: "live",
  "catching-up": "catching-up",
  connecting: "reconnecting",
  full: "offline",
  reconnecting: "reconnecting",
  offline: "offline",
  "signed-out": "signed-out",
  misconfigured: "offline",
  refused: "offline",
};

export interface ConnectionPillProps {
  /** Where there is little room: the state alone, and the number that waits without its word. */
  readonly isBrief?: boolean;
}

export function ConnectionPill({ isBrief = false }: ConnectionPillProps): ReactElement {
  const { client } = usePlace();
  const connection = useView(client.connection);
  const { waitingCount } = useWaiting();
  const waiting = connection.state === "live" ? 0 : waitingCount;
  return (
    <div className={styles.pill} data-brief={isBrief || undefined}>
      {/* Polite, and without what ticks: it is said when the state changes. */}
      <div role="status" aria-label={c.label} data-state={SHOWN[connection.state]} className={styles.state}>
        <Link href={connection.state === "signed-out" ? SIGN_IN : STATUS} className={styles.link}>
          <span className={styles.dot} />
          <span className={styles.words}>
            {isBrief ? connectionWordsBriefly(connection) : connectionWords(connection)}
            {waiting > 0 && !isBrief && `, ${c.waiting(waiting)}`}
          </span>
          {waiting > 0 && isBrief && (
            <>
              <VisuallyHidden>, {c.waiting(waiting)}</VisuallyHidden>
              <Count value={waiting} look="waiting" />
            </>
          )}
        </Link>
      </div>
      {!isBrief && connection.state !== "live" && <Way connection={connection} />}
    </div>
  );
}

/** How old what one sees may be, and what can be done about it. */
function Way({ connection }: { readonly connection: ConnectionSnapshot }): ReactElement {
  const { client } = usePlace();
  const liveAt = useView(client.liveAt);
  const left = useSecondsUntil("retryAt" in connection ? connection.retryAt : null);
  const today = useToday();
  // By choice, or told to wait: sooner it would do nothing.
  const isDead = "isChosen" in connection || "isTold" in connection;
  return (
    <>
      {liveAt !== null && <p className={styles.asOf}>{c.asOf(momentOf(liveAt, today))}</p>}
      {"retryAt" in connection && !isDead && (
        <button type="button" className={styles.retry} title={c.tryNow} onClick={client.commands.reconnect}>
          <RefreshIcon size={14} />
          <VisuallyHidden>{c.tryNow}</VisuallyHidden>
          <span aria-hidden="true">{left === null || left === 0 ? "" : c.seconds(left)}</span>
        </button>
      )}
    </>
  );
}
