// Whether what is on screen is the present, in two words. Always there, never over anything.
import type { ReactElement } from "react";
import { Link } from "../navigation.tsx";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { t } from "../../ui/strings.ts";
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

export function ConnectionPill(): ReactElement {
  const { client } = usePlace();
  const connection = useView(client.connection);
  const outbox = useView(client.outbox);
  const waiting = outbox.state === "ready" ? outbox.value.waitingCount : 0;
  const words = wordsFor(connection);
  return (
    <div className={styles.pill} role="status" aria-label={t.connection.label} data-state={SHOWN[connection.state]}>
      <Link href={connection.state === "signed-out" ? SIGN_IN : STATUS} className={styles.link}>
        <span className={styles.dot} />
        <span className={styles.words}>
          {waiting > 0 && connection.state !== "live" ? `${words}, ${t.connection.waiting(waiting)}` : words}
        </span>
      </Link>
    </div>
  );
}

function wordsFor(connection: ConnectionSnapshot): string {
  switch (connection.state) {
    case "live":
      return t.connection.live;
    case "catching-up":
      return t.connection.catchingUp(connection.done, connection.total);
    case "connecting":
    case "reconnecting":
      return t.connection.reconnecting;
    case "offline":
      return t.connection.offline;
    case "signed-out":
      return t.connection.signedOut;
    case "misconfigured":
      return t.connection.misconfigured;
  }
}
