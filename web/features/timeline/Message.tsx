// One message. Memoised, for a list of them is rendered at every keystroke's worth of change and its text is costly.
import { memo, useId, type ReactElement } from "react";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { cx } from "../../ui/cx.ts";
import { ClockIcon, PinIcon, ReplyIcon } from "../../ui/icons-beside.tsx";
import { timelineSays } from "../../ui/strings-timeline.ts";
import { Time } from "../../ui/Time.tsx";
import { briefClockOf, clockOf } from "../../ui/time.ts";
import { later } from "../../ui/later.tsx";
import type { MessageActions } from "./actions.ts";
import { MessageText } from "./markdown/MessageText.tsx";
import { MentionedText } from "./markdown/MentionedText.tsx";
import { nameOf, usePeople } from "./people.ts";
import { quoted } from "./quoted.ts";
import { Reactions } from "./Reactions.tsx";
import styles from "./Message.module.css";

const Toolbar = later(() => import("./Toolbar.tsx"), "Toolbar");
const EditMessage = later(() => import("./EditMessage.tsx"), "EditMessage");
const LeftEdit = later(() => import("./LeftEdit.tsx"), "LeftEdit");
const Asides = later(() => import("./Asides.tsx"), "Asides");
const Refused = later(() => import("./Refused.tsx"), "Refused");

interface MessageProps {
  readonly message: TimelineMessage;
  readonly actions: MessageActions;
  readonly isHead: boolean;
  /** Pointed at or focused: its actions show. */
  readonly isActive: boolean;
  /** Where it is being edited. */
  readonly editor: "here" | "below" | null;
  /** The one that a link led to. */
  readonly isTarget: boolean;
  /** The one that Tab reaches; arrows go on from there. */
  readonly isTabStop: boolean;
}

export const Message = memo(function Message(props: MessageProps): ReactElement {
  const { message, actions, isHead, isActive, editor, isTarget, isTabStop } = props;
  const id = useId();
  const people = usePeople();
  const author = people.get(message.author);
  const name = nameOf(people, message.author);
  const time = <Time at={message.at} as={clockOf} />;

  return (
    <article
      className={cx(
        styles.message,
        isHead && styles.head,
        message.namesMe && styles.namesMe,
        isTarget && styles.target,
      )}
      aria-labelledby={`${id}-by ${id}-text ${id}-late`}
      data-message-id={message.id}
      data-seq={message.seq ?? undefined}
      data-delivery={message.delivery}
      tabIndex={isTabStop ? 0 : -1}
    >
      <div className={styles.gutter}>
        {isHead ? (
          <Avatar id={message.author} name={name} picture={author?.avatar} />
        ) : (
          <span className={styles.clock} aria-hidden="true">
            <Time at={message.at} as={briefClockOf} />
          </span>
        )}
      </div>
      <div className={styles.body}>
        {/* In a group the line is for screen readers only: every message says whose it is, and when. */}
        <div id={`${id}-by`} className={isHead ? styles.by : styles.unseen}>
          <span className={styles.author}>{name}</span> {time}
        </div>
        {message.pinned !== undefined && (
          <p className={styles.pinned}>
            <PinIcon size={14} /> {timelineSays.pinned}
          </p>
        )}
        {message.quote !== undefined && !message.isDeleted && <QuoteLine message={message} actions={actions} />}
        <div id={`${id}-text`}>
          {editor === "here" ? (
            <EditMessage message={message} actions={actions} />
          ) : message.isDeleted ? (
            <p className={styles.deleted}>{timelineSays.deleted}</p>
          ) : (
            <MessageText
              text={message.text}
              after={message.isEdited && <span className={styles.edited}> {timelineSays.edited}</span>}
            />
          )}
        </div>
        {message.isMine && editor === null && <LeftEdit message={message} actions={actions} />}
        {(message.writtenAt ?? message.replaced) !== undefined && (
          <Asides id={`${id}-late`} message={message} actions={actions} />
        )}
        {message.reactions.length > 0 && <Reactions message={message} actions={actions} />}
        {message.refused !== undefined && (
          <Refused message={message} refused={message.refused} actions={actions} isEdited={editor !== null} />
        )}
      </div>
      <DeliveryMark message={message} />
      {isActive && editor === null && !message.isDeleted && <Toolbar message={message} actions={actions} />}
    </article>
  );
});

function QuoteLine({ message, actions }: Pick<MessageProps, "message" | "actions">): ReactElement | null {
  const people = usePeople();
  const { quote } = message;
  if (quote === undefined) return null;
  const author = quote.author === null ? null : nameOf(people, quote.author);
  return (
    <button type="button" className={styles.quote} onClick={() => actions.goTo(quote.id)}>
      <ReplyIcon size={14} />
      <span className={styles.quoted}>
        {author !== null && <b>{author} </b>}
        {quote.text !== null ? (
          <MentionedText text={quoted(quote.text)} />
        ) : author === null ? (
          timelineSays.quoteAway
        ) : (
          timelineSays.quoteDeleted
        )}
      </span>
    </button>
  );
}

/** Nothing once it is sent: that is normal. */
function DeliveryMark({ message }: Pick<MessageProps, "message">): ReactElement | null {
  if (message.delivery === "queued" || (message.delivery === "sent" && message.hasWaitingChange)) {
    return (
      <span className={styles.mark}>
        <ClockIcon size={14} />
        <span className={styles.markText}>
          {message.delivery === "queued" ? timelineSays.queued : timelineSays.changeWaiting}
        </span>
      </span>
    );
  }
  if (message.delivery !== "sending") return null;
  return (
    <span className={cx(styles.mark, styles.sending)}>
      <span className={styles.progress} />
      <span className={styles.markText}>{timelineSays.sending}</span>
    </span>
  );
}
