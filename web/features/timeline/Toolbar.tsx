// The actions of the message that is pointed at or focused.
import type { KeyboardEvent, ReactElement } from "react";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { IconButton } from "../../ui/Button.tsx";
import { MoreIcon } from "../../ui/icons.tsx";
import { PencilIcon, PinIcon, ReplyIcon } from "../../ui/icons-beside.tsx";
import { CopyIcon, LinkIcon, SmileIcon, TrashIcon, UnreadIcon } from "../../ui/icons-more.tsx";
import { MenuItems, type MenuAction } from "../../ui/Menu.tsx";
import { PopoverButton } from "../../ui/Popover.tsx";
import { acts } from "../../ui/strings-actions.ts";
import { leave } from "./leave.ts";
import { copy } from "../copy.ts";
import { wasRefused, type MessageActions } from "./actions.ts";
import { QUICK_REACTIONS } from "./quick-reactions.ts";
import styles from "./Toolbar.module.css";

interface ToolbarProps {
  readonly message: TimelineMessage;
  readonly actions: MessageActions;
}

export function Toolbar({ message, actions }: ToolbarProps): ReactElement {
  // Nothing can refer to a message that the room never took.
  const isThere = !wasRefused(message);
  return (
    <div role="toolbar" aria-label={acts.label} className={styles.toolbar} onKeyDown={moveFocus} onClick={leave}>
      {isThere && (
        <PopoverButton action="react" label={acts.react} icon={<SmileIcon />} role="toolbar" side="above">
          {(close) => (
            <QuickReactions message={message} onChoose={(emoji, on) => (close(), actions.react(message, emoji, on))} />
          )}
        </PopoverButton>
      )}
      {isThere && (
        <IconButton data-action="reply" label={acts.reply} shortcut="T" onClick={() => actions.reply(message)}>
          <ReplyIcon />
        </IconButton>
      )}
      {isThere && message.mayPin && (
        <IconButton
          data-action="pin"
          label={message.pinned === undefined ? acts.pin : acts.unpin}
          shortcut="P"
          onClick={() => actions.pin(message, message.pinned === undefined)}
        >
          <PinIcon />
        </IconButton>
      )}
      {message.mayEdit && (
        <IconButton data-action="edit" label={acts.edit} shortcut="E" onClick={() => actions.edit(message)}>
          <PencilIcon />
        </IconButton>
      )}
      {message.mayDelete && (
        <IconButton label={acts.delete} onClick={() => actions.remove(message)}>
          <TrashIcon />
        </IconButton>
      )}
      <PopoverButton label={acts.more} icon={<MoreIcon />} role="menu">
        {(close) => <MenuItems groups={[moreItems(message, actions)]} close={close} />}
      </PopoverButton>
    </div>
  );
}

function moreItems(message: TimelineMessage, actions: MessageActions): readonly MenuAction[] {
  const { seq } = message;
  return [
    { label: acts.copyText, icon: <CopyIcon />, onSelect: () => void copy(actions.asTyped(message.text)) },
    ...(seq !== null
      ? [
          { label: acts.copyLink, icon: <LinkIcon />, onSelect: () => void copy(actions.linkTo(message.id)) },
          { label: acts.markUnread, icon: <UnreadIcon />, onSelect: () => actions.markUnread(seq) },
        ]
      : []),
  ];
}

interface QuickReactionsProps {
  readonly message: TimelineMessage;
  readonly onChoose: (emoji: string, on: boolean) => void;
}

function QuickReactions({ message, onChoose }: QuickReactionsProps): ReactElement {
  return (
    <div className={styles.quick}>
      {QUICK_REACTIONS.map((emoji) => {
        const isMine = message.reactions.some((reaction) => reaction.emoji === emoji && reaction.isMine);
        return (
          <button
            key={emoji}
            type="button"
            className={styles.emoji}
            aria-pressed={isMine}
            onClick={() => onChoose(emoji, !isMine)}
          >
            {emoji}
          </button>
        );
      })}
    </div>
  );
}

/** Left and right among the buttons, as in any toolbar; up and down stay with the timeline. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined) return;
  const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
  const focused = document.activeElement;
  const within = focused?.closest("[popover]") ?? event.currentTarget;
  const all = [...within.querySelectorAll<HTMLElement>("button")].filter((button) => button.checkVisibility());
  const at = all.findIndex((button) => button === focused);
  all.at((at + (isRtl ? -step : step)) % all.length)?.focus();
  event.preventDefault();
}
