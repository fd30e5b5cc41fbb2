// The truth about the network and this device, for whoever wants to know, and as a report to hand on.
import { useState, type ReactElement } from "react";
import type { StatusSnapshot } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { l } from "../../ui/strings-log.ts";
import { statusSays } from "../../ui/strings-status.ts";
import { numberOf } from "../../ui/number.ts";
import { useBeingSaved } from "../being-saved.ts";
import { copy } from "../copy.ts";
import { Link } from "../navigation.tsx";
import { OFFLINE, outboxPath } from "../paths-more.ts";
import { Screen } from "../Screen.tsx";
import { usePlace, useView } from "../services.ts";
import { bytesOf } from "../../ui/bytes.ts";
import { Part } from "../../ui/Part.tsx";
import { ConnectionPart } from "./ConnectionPart.tsx";
import { EventLog } from "./EventLog.tsx";
import { reportOf } from "./report.ts";
import { reasonOfRoom } from "./room-reason.ts";
import styles from "./Status.module.css";

/** Of what isn't being saved, as far as is known. */
const NONE_YET = { waiting: 0, refused: 0, drafts: 0 };

export function Status(): ReactElement {
  const { slug, client } = usePlace();
  const stored = useView(client.status);
  const saving = useBeingSaved().length;
  const counted = stored.outbox ?? (saving > 0 ? NONE_YET : null);
  const outbox = counted && { ...counted, waiting: counted.waiting + saving };
  const status = { ...stored, outbox };
  const [isCopied, setCopied] = useState(false);
  const says = statusSays;
  const { connection, rooms, storage, liveAt } = status;

  async function report(): Promise<void> {
    setCopied(await copy(reportOf(status)));
  }

  return (
    <Screen
      title={says.title}
      hasBack
      tools={<Button onClick={() => void report()}>{isCopied ? says.copied : says.copy}</Button>}
    >
      <div className={styles.parts}>
        <Part title={says.connection}>
          <ConnectionPart connection={connection} isChosen={status.isOfflineChosen} liveAt={liveAt} />
        </Part>
        <Part title={says.outbox}>
          <p>
            <Link href={outboxPath(slug)}>
              {outbox === null ? says.counting : says.outboxText(numberOf(outbox.waiting), numberOf(outbox.refused))}
              {outbox !== null && outbox.drafts > 0 && `, ${says.drafts(outbox.drafts)}`}
            </Link>
          </p>
        </Part>
        <Part title={says.storage}>
          {storage.kind === "memory" ? (
            <p>{says.memory}</p>
          ) : (
            <>
              <p>
                {storage.usedBytes === null || storage.quotaBytes === null
                  ? says.storageUnknown
                  : says.storageText(bytesOf(storage.usedBytes), bytesOf(storage.quotaBytes))}
              </p>
              <p>{says.persistent[persistence(storage.isPersistent)]}</p>
            </>
          )}
          <p>
            <Link href={OFFLINE}>{says.keep}</Link>
          </p>
        </Part>
        <Part title={says.app}>
          <p>{says.build(status.build, numberOf(status.protocol))}</p>
          <p>{status.isLeader ? says.leader.yes : says.leader.no}</p>
        </Part>
        <Part title={says.rooms}>
          <Rooms rooms={rooms} />
        </Part>
        <Part title={l.title}>
          <EventLog events={status.events} />
        </Part>
      </div>
    </Screen>
  );
}

function persistence(isPersistent: boolean | null): "yes" | "no" | "unknown" {
  return isPersistent === null ? "unknown" : isPersistent ? "yes" : "no";
}

function Rooms({ rooms }: { readonly rooms: StatusSnapshot["rooms"] }): ReactElement {
  const says = statusSays;
  const shown = (value: number | null): string => (value === null ? "–" : numberOf(value));
  return (
    <div className={styles.wide} tabIndex={0} role="region" aria-label={says.rooms}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{says.room}</th>
            <th scope="col">{says.link}</th>
            <th scope="col">{says.cursor}</th>
            <th scope="col">{says.head}</th>
            <th scope="col">{says.held}</th>
          </tr>
        </thead>
        <tbody>
          {rooms.map((room) => (
            <tr key={room.name}>
              <th scope="row">{room.label}</th>
              <td>
                {says.links[room.link]}
                {room.detail !== undefined && `: ${reasonOfRoom(room)}`}
              </td>
              <td>{shown(room.cursor)}</td>
              <td>{shown(room.head)}</td>
              <td>
                {numberOf(room.heldMessages)}
                {room.isComplete && `, ${says.complete}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
