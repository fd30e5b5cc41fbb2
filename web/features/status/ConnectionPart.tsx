// What the connection is, how old what one sees may be, when the next try is, and the switch to do without.
import { useState, type ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { connectionWords } from "../../ui/connection-words.ts";
import { useSecondsUntil } from "../../ui/countdown.ts";
import { momentOf } from "../../ui/moment.ts";
import { FormFault } from "../../ui/FormFault.tsx";
import { c } from "../../ui/strings-connection.ts";
import { statusSays } from "../../ui/strings-status.ts";
import { o } from "../../ui/strings-offline.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";
import { useToday } from "../../ui/today.ts";
import { Link } from "../navigation.tsx";
import { OFFLINE } from "../paths-more.ts";
import { SIGN_IN } from "../paths.ts";
import { usePlace } from "../services.ts";
import styles from "./Status.module.css";

interface ConnectionPartProps {
  readonly connection: ConnectionSnapshot;
  /** As it is stored: where nothing can be begun, no connection tells of it. */
  readonly isChosen: boolean | undefined;
  readonly liveAt: number | null;
}

export function ConnectionPart(props: ConnectionPartProps): ReactElement {
  const { connection, liveAt } = props;
  const { commands } = usePlace().client;
  const today = useToday();
  const { workOffline } = statusSays;
  const isChosen = props.isChosen ?? (connection.state === "offline" && connection.isChosen === true);
  const [fault, setFault] = useState<Failure | null>(null);

  async function choose(on: boolean): Promise<void> {
    const chosen = await commands.workOffline(on);
    setFault(chosen.ok ? null : chosen.error);
  }

  return (
    <>
      <p role="status" className={styles.state}>
        {connectionWords(connection)}
      </p>
      {"detail" in connection && <p>{reasonOf(connection)}</p>}
      {liveAt !== null && connection.state !== "live" && <p>{c.asOf(momentOf(liveAt, today))}</p>}
      {connection.state === "signed-out" && <Link href={SIGN_IN}>{c.signedOut}</Link>}
      {"retryAt" in connection && !isChosen && (
        <NextTry at={connection.retryAt} mayTry={!("isTold" in connection)} onTry={commands.reconnect} />
      )}
      <Checkbox
        label={workOffline.label}
        hint={workOffline.hint}
        role="switch"
        aria-checked={isChosen}
        checked={isChosen}
        onChange={(event) => void choose(event.target.checked)}
      />
      <div>
        <FormFault>
          {fault !== null && (
            <>
              {workOffline.notKept(fault.detail)}{" "}
              {fault.code === "storage_full" && <Link href={OFFLINE}>{o.keepLess}</Link>}
            </>
          )}
        </FormFault>
      </div>
    </>
  );
}

/** What its room says to a channel's people is said of the workspace here. */
function reasonOf(connection: Extract<ConnectionSnapshot, { readonly detail: string }>): string {
  return connection.state === "refused" && connection.code === "forbidden" ? outboxSays.shutOut : connection.detail;
}

interface NextTryProps {
  readonly at: number | null;
  /** Else it would do nothing. */
  readonly mayTry: boolean;
  readonly onTry: () => void;
}

function NextTry({ at, mayTry, onTry }: NextTryProps): ReactElement {
  const left = useSecondsUntil(at);
  return (
    <div className={styles.next}>
      {mayTry && <Button onClick={onTry}>{c.tryNow}</Button>}
      {/* It ticks; nobody wants to be told every second. */}
      <span aria-live="off">{left === null || left === 0 ? c.trying : c.nextTry(left)}</span>
    </div>
  );
}
