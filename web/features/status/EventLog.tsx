// What happened to connection, outbox and device, newest first, so that one can see for oneself.
import { useState, type ReactElement } from "react";
import type { EventKind, EventRecord } from "../../store/schema.ts";
import { Button } from "../../ui/Button.tsx";
import { tickOf } from "../../ui/moment.ts";
import { l } from "../../ui/strings-log.ts";
import { Time } from "../../ui/Time.tsx";
import styles from "./EventLog.module.css";

const KINDS = ["all", "connection", "outbox", "sync", "storage", "app"] as const;

/** Lines shown at first; the rest on asking. */
const SHOWN_FIRST = 60;

export function EventLog({ events }: { readonly events: readonly EventRecord[] }): ReactElement {
  const [kind, setKind] = useState<EventKind | "all">("all");
  const [isWhole, setWhole] = useState(false);
  const chosen = events.filter((event) => kind === "all" || event.kind === kind).toReversed();
  const shown = isWhole ? chosen : chosen.slice(0, SHOWN_FIRST);

  return (
    <>
      <p>{l.lead}</p>
      <label className={styles.filter}>
        {l.show}
        <select value={kind} onChange={(event) => setKind(event.target.value as EventKind | "all")}>
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {l.kinds[each]}
            </option>
          ))}
        </select>
      </label>
      {shown.length === 0 ? (
        <p>{l.none}</p>
      ) : (
        <ol className={styles.list} aria-label={l.list}>
          {shown.map((event) => (
            <li key={event.place} className={styles.line} data-kind={event.kind}>
              <Time at={event.at} as={tickOf} />
              <span>{l.sentence(event.what, { count: event.count ?? 1, detail: event.detail ?? "" })}</span>
            </li>
          ))}
        </ol>
      )}
      {shown.length < chosen.length && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {l.older(chosen.length - shown.length)}
        </Button>
      )}
    </>
  );
}
