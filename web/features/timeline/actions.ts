// What one may do with a message of the timeline. One object for all rows, the same while the channel is open.
import type { MessageId, OpId } from "#protocol/ids.ts";
import type { TimelineMessage } from "../../store/snapshots.ts";

export interface MessageActions {
  readonly react: (message: TimelineMessage, emoji: string, on: boolean) => void;
  readonly pin: (message: TimelineMessage, on: boolean) => void;
  readonly reply: (message: TimelineMessage) => void;
  /** Opens the message for editing in its place. */
  readonly edit: (message: TimelineMessage) => void;
  readonly stopEditing: () => void;
  /** Answers whether it is stored; otherwise what was typed stays. */
  readonly saveEdit: (message: TimelineMessage, text: string) => Promise<boolean>;
  readonly textToEdit: (message: TimelineMessage) => string;
  /** Asks first. */
  readonly remove: (message: TimelineMessage) => void;
  readonly copyText: (message: TimelineMessage) => void;
  readonly copyLink: (message: TimelineMessage) => void;
  readonly markUnread: (message: TimelineMessage) => void;
  readonly retry: (op: OpId) => void;
  readonly discard: (op: OpId) => void;
  readonly goTo: (message: MessageId) => void;
}

/** A message that was itself refused, rather than a later change to it. */
export function wasRefused(message: TimelineMessage): boolean {
  return message.delivery === "refused";
}
