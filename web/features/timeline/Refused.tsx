// What the server said no to: why, in one sentence, and the ways out. What was written stays until one is taken.
import type { ReactElement } from "react";
import type { TimelineMessage } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { AlertIcon } from "../../ui/icons-beside.tsx";
import { beside } from "../../ui/strings-beside.ts";
import { wasRefused, type MessageActions } from "./actions.ts";
import styles from "./Refused.module.css";

interface RefusedProps {
  readonly message: TimelineMessage;
  readonly refused: NonNullable<TimelineMessage["refused"]>;
  readonly actions: MessageActions;
}

export function Refused({ message, refused, actions }: RefusedProps): ReactElement {
  const { op, refusal } = refused;
  return (
    <div className={styles.refused}>
      <p className={styles.reason}>
        <AlertIcon size={14} />
        <span>
          {refusal.detail} {refusal.maybeDelivered === true && beside.timeline.maybeDelivered}
        </span>
      </p>
      <div className={styles.ways}>
        {wasRefused(message) ? (
          <Button look="quiet" onClick={() => actions.edit(message)}>
            {beside.actions.editAndRetry}
          </Button>
        ) : (
          <Button look="quiet" onClick={() => actions.retry(op)}>
            {beside.actions.retry}
          </Button>
        )}
        <Button look="quiet" onClick={() => actions.copyText(message)}>
          {beside.actions.copy}
        </Button>
        <Button look="quiet" onClick={() => actions.discard(op)}>
          {beside.actions.discard}
        </Button>
      </div>
    </div>
  );
}
