// What has to be said about a message besides its text: that it came late, that another edit of it was replaced.
import { useState, type ReactElement } from "react";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { momentOf } from "../../ui/moment.ts";
import { acts } from "../../ui/strings-actions.ts";
import { k } from "../../ui/strings-conflict.ts";
import { exactTimeOf } from "../../ui/time.ts";
import { useToday } from "../../ui/today.ts";
import { copy } from "../copy.ts";
import type { MessageActions } from "./actions.ts";
import styles from "./Asides.module.css";
import { MentionedText } from "./markdown/MentionedText.tsx";

interface AsidesProps {
  readonly id: string;
  readonly message: TimelineMessage;
  readonly actions: MessageActions;
}

export function Asides({ id, message, actions }: AsidesProps): ReactElement {
  const today = useToday();
  const { at, writtenAt, replaced } = message;
  return (
    <div className={styles.asides}>
      {writtenAt !== undefined && (
        <p id={id} title={`${exactTimeOf(writtenAt)} – ${exactTimeOf(at)}`}>
          {k.late(momentOf(writtenAt, today), momentOf(at, today))}
        </p>
      )}
      {replaced !== undefined && <Replaced replaced={replaced} message={message} actions={actions} />}
    </div>
  );
}

interface ReplacedProps extends Omit<AsidesProps, "id"> {
  readonly replaced: NonNullable<TimelineMessage["replaced"]>;
}

function Replaced({ replaced, message, actions }: ReplacedProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const today = useToday();
  const { text } = replaced;
  if (text === null)
    return (
      <p>
        {k.replaced.text} {k.replaced.tooLong}
      </p>
    );
  return (
    <>
      <p>
        {k.replaced.text}{" "}
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? k.replaced.hide : k.replaced.show}
        </Button>
      </p>
      {isOpen && (
        <figure className={styles.other}>
          <figcaption>{k.replaced.other(momentOf(replaced.at, today))}</figcaption>
          <p className={styles.words} dir="auto">
            <MentionedText text={text} />
          </p>
          <Button look="quiet" onClick={() => void actions.saveEdit(message, actions.asTyped(text), message)}>
            {k.replaced.use}
          </Button>
          <Button look="quiet" onClick={() => void copy(actions.asTyped(text))}>
            {acts.copy}
          </Button>
        </figure>
      )}
    </>
  );
}
