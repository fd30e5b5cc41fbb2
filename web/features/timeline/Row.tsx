// A row of the list: a message or a system line, with what stands above it.
import { useRef, type PointerEvent, type ReactElement } from "react";
import type { MessageId } from "#protocol/ids.ts";
import type { Beyond } from "../../store/timeline-snapshots.ts";
import { timelineSays } from "../../ui/strings-timeline.ts";
import { dayOf } from "../../ui/time.ts";
import { useToday } from "../../ui/today.ts";
import type { MessageActions } from "./actions.ts";
import { Message } from "./Message.tsx";
import type { TimelineRow } from "./rows.ts";
import { SystemLine } from "./SystemLine.tsx";
import styles from "./Timeline.module.css";

interface RowProps {
  readonly row: TimelineRow;
  /** For the topmost row: what lies beyond it. */
  readonly above: Beyond | null;
  readonly channel: string;
  readonly actions: MessageActions;
  readonly isActive: boolean;
  readonly editor: "here" | "below" | null;
  readonly isTarget: boolean;
  readonly isTabStop: boolean;
  readonly onPoint: (message: MessageId | null) => void;
  readonly onFocus: (message: MessageId | null) => void;
}

const LONG_PRESS_MS = 450;

export function Row(props: RowProps): ReactElement {
  const { row, above, channel, onPoint, onFocus, actions, isActive, editor, isTarget, isTabStop } = props;
  const { message, day, isFirstNew, isHead } = row;
  const pressing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const today = useToday();
  const beyond = {
    nothing: timelineSays.beginning(channel),
    more: "",
    loading: timelineSays.olderLoading,
    unreachable: timelineSays.olderUnreachable,
  };

  function point(event: PointerEvent): void {
    // While one chooses from a menu of a message, the way there doesn't hand the actions to another.
    if (event.pointerType === "mouse" && document.querySelector("article :popover-open") === null) onPoint(message.id);
  }

  return (
    <div
      className={styles.row}
      onPointerMove={point}
      onPointerDown={(event) => {
        if (event.pointerType === "touch") pressing.current = setTimeout(() => onPoint(message.id), LONG_PRESS_MS);
      }}
      onPointerUp={() => clearTimeout(pressing.current)}
      onPointerCancel={() => clearTimeout(pressing.current)}
      onFocus={(event) => {
        // By keyboard: a touch focuses too, and only means to read.
        if (event.target.matches(":focus-visible")) onFocus(message.id);
      }}
      onBlur={(event) => {
        // Whoever comes back to the window is where they were.
        if (document.hasFocus() && !event.currentTarget.contains(event.relatedTarget)) onFocus(null);
      }}
    >
      {above !== null && <p className={styles.above}>{beyond[above]}</p>}
      {day !== null && (
        <div className={styles.day}>
          <span>{dayOf(day, today)}</span>
        </div>
      )}
      {isFirstNew && (
        <div className={styles.new}>
          <span>{timelineSays.new}</span>
        </div>
      )}
      {message.system === undefined ? (
        <Message {...{ message, actions, isHead, isActive, editor, isTarget, isTabStop }} />
      ) : (
        <SystemLine message={message} />
      )}
    </div>
  );
}
