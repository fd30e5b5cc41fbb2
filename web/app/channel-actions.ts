// What the timeline's actions do, in terms of commands.
import type { Dispatch, SetStateAction } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import type { MessageActions } from "../features/timeline/actions.ts";
import { listedMessage } from "../features/timeline/listed-message.ts";
import type { Timeline, TimelineMessage } from "../store/timeline-snapshots.ts";
import type { Commands } from "../sync/client.ts";

export interface ActionsAround {
  readonly channel: ChannelId;
  readonly commands: Commands;
  readonly timeline: Timeline;
  readonly linkTo: (message: MessageId) => string;
  /** Looking on would undo it. */
  readonly onUnread: () => void;
  readonly onReply: (message: TimelineMessage) => void;
  readonly onEdit: Dispatch<SetStateAction<MessageId | null>>;
  readonly onGoTo: (message: MessageId) => void;
  readonly onNotice: (notice: string) => void;
}

/** @param onRemove asks first */
export function messageActions(
  around: ActionsAround,
  onRemove: (message: TimelineMessage) => void = () => undefined,
): MessageActions {
  const { channel, commands, timeline, linkTo, onUnread, onReply, onEdit, onGoTo, onNotice } = around;

  async function stored(command: Promise<Result<unknown, Failure>>): Promise<boolean> {
    const result = await command;
    if (!result.ok) onNotice(result.error.detail);
    return result.ok;
  }

  return {
    channel,
    react: (message, emoji, on) => void stored(commands.react(channel, message.id, emoji, on)),
    pin: (message, on) => void stored(commands.pin(channel, message.id, on)),
    reply: onReply,
    edit: (message) => onEdit(message.id),
    stopEditing: (message) => onEdit((now) => (now === message ? null : now)),
    saveEdit: (message, text, seen) => stored(commands.edit(channel, message.id, text, seen)),
    // Nothing of it was written in the composer: what stands there stays.
    post: (text) => stored(commands.post(channel, text, undefined, undefined, "")),
    isPosted: async (message) => {
      const posted = await commands.isPosted(channel, message);
      return !posted.ok || posted.value;
    },
    shown: (message) => listedMessage(timeline.snapshot(), message),
    asTyped: commands.textToEdit,
    remove: onRemove,
    linkTo,
    markUnread: (seq) => {
      onUnread();
      commands.markUnread(channel, seq);
    },
    notice: onNotice,
    goTo: onGoTo,
  };
}
