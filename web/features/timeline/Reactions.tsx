// Who reacted with what, under the message; pressing one's own takes it back.
import type { ReactElement } from "react";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { timelineSays } from "../../ui/strings-timeline.ts";
import { numberOf } from "../../ui/number.ts";
import type { MessageActions } from "./actions.ts";
import { leave } from "./leave.ts";
import { nameOf, usePeople } from "./people.ts";
import styles from "./Message.module.css";

interface ReactionsProps {
  readonly message: TimelineMessage;
  readonly actions: MessageActions;
}

export function Reactions({ message, actions }: ReactionsProps): ReactElement {
  const people = usePeople();
  return (
    <div className={styles.reactions}>
      {message.reactions.map(({ emoji, people: users, isMine }) => {
        const label = timelineSays.reaction(emoji, timelineSays.and(users.map((user) => nameOf(people, user))));
        return (
          <button
            key={emoji}
            type="button"
            className={styles.reaction}
            aria-label={label}
            aria-pressed={isMine}
            title={label}
            onClick={(event) => {
              // Twice at one place is meant once: the second would hit what has moved up, or undo the first.
              if (event.detail < 2) actions.react(message, emoji, !isMine);
              // The last of it goes, and this button with it.
              if (isMine && users.length === 1) event.currentTarget.closest("article")?.focus();
              leave(event);
            }}
          >
            {emoji} <span className={styles.tally} data-tally={numberOf(users.length)} />
          </button>
        );
      })}
    </div>
  );
}
