// What the server said no to: why, in one sentence, and the ways out. What was written stays until one is taken.
import type { ReactElement } from "react";
import type { TimelineMessage } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { AlertIcon } from "../../ui/icons-beside.tsx";
import { acts } from "../../ui/strings-actions.ts";
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
          {refusal.detail} {refusal.maybeDelivered === true && acts.maybeDelivered}
        </span>
      </p>
      <div className={styles.ways}>
        {wasRefused(message) ? (
          <Button look="quiet" onClick={() => actions.edit(message)}>
            {acts.editAndRetry}
          </Button>
        ) : (
          <Button look="quiet" onClick={() => actions.retry(op)}>
            {acts.retry}
          </Button>
        )}
        <Button look="quiet" onClick={() => actions.copyText(message)}>
          {acts.copy}
        </Button>
        <Button look="quiet" onClick={() => actions.discard(op)}>
          {acts.discard}
        </Button>
      </div>
    </div>
  );
}
