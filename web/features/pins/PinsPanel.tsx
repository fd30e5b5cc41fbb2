// What was pinned in the channel, the latest first.
import { useState, type ReactElement } from "react";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ClockIcon } from "../../ui/icons-beside.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { s } from "../../ui/strings-more.ts";
import { dayAndClockOf } from "../../ui/moment.ts";
import { Time } from "../../ui/Time.tsx";
import { ignoreSecondPresses } from "../second-press.ts";
import { usePlace, useView } from "../services.ts";
import styles from "./PinsPanel.module.css";

interface PinsPanelProps {
  readonly channel: ChannelId;
  readonly nameOf: (message: TimelineMessage["author"]) => string;
  readonly onGoTo: (message: MessageId) => void;
  readonly onUnpin: (message: TimelineMessage) => void;
  readonly onClose: () => void;
}

export function PinsPanel({ channel, nameOf, onGoTo, onUnpin, onClose }: PinsPanelProps): ReactElement {
  const { client } = usePlace();
  const [view] = useState(() => client.pins(channel));
  const pins = useView(view);
  const { pins: says } = s;
  if (pins.state === "loading") return <Panel title={says.title} onClose={onClose} />;
  const { messages, waiting, isWhole } = pins.value;
  return (
    <Panel title={says.title} onClose={onClose}>
      {messages.length === 0 && isWhole && <EmptyState title={says.empty.title}>{says.empty.text}</EmptyState>}
      <ul className={styles.list} onClickCapture={ignoreSecondPresses}>
        {messages.map((message) => (
          <li key={message.id} className={styles.pin} data-message-id={message.id}>
            <p className={styles.by}>
              <b>
                <bdi>{nameOf(message.author)}</bdi>
              </b>{" "}
              <Time at={message.at} as={dayAndClockOf} />
            </p>
            <p className={styles.text} dir="auto">
              {client.commands.textToEdit(message.text)}
            </p>
            {message.pinned !== undefined && (
              <p className={styles.facts}>{says.by(nameOf(message.pinned.by), dayAndClockOf(message.pinned.at))}</p>
            )}
            {waiting.has(message.id) && (
              <p className={styles.waits}>
                <ClockIcon size={14} /> {message.pinned === undefined ? says.unpinWaits : says.waits}
              </p>
            )}
            <div className={styles.ways}>
              <Button look="quiet" onClick={() => onGoTo(message.id)}>
                {says.goTo}
              </Button>
              {message.mayPin && message.pinned !== undefined && (
                <Button look="quiet" onClick={() => onUnpin(message)}>
                  {says.unpin}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {!isWhole && <p className={styles.facts}>{messages.length === 0 ? says.noneHere : says.notWhole}</p>}
    </Panel>
  );
}
