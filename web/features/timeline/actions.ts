// What one may do with a message of the timeline. One object for all rows, the same while the channel is open.
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";

/** What an editor needs to know of a message. */
export type Editable = Pick<TimelineMessage, "id" | "author" | "text" | "isDeleted" | "rev" | "delivery" | "refused">;

export interface MessageActions {
  readonly channel: ChannelId;
  readonly react: (message: TimelineMessage, emoji: string, on: boolean) => void;
  readonly pin: (message: TimelineMessage, on: boolean) => void;
  readonly reply: (message: TimelineMessage) => void;
  /** Opens the message for editing in its place. */
  readonly edit: (message: TimelineMessage) => void;
  /** Another that is being edited by now stays open. */
  readonly stopEditing: (message: MessageId) => void;
  /**
   * Answers whether it is stored; otherwise what was typed stays.
   * @param seen the message as it was when the change to it was begun
   */
  readonly saveEdit: (message: Editable, text: string, seen: Pick<Editable, "text" | "rev">) => Promise<boolean>;
  /** What was to be an edit, as a message of its own. */
  readonly post: (text: string) => Promise<boolean>;
  /** Whether this device has it, delivered or not; true where that can't be told. */
  readonly isPosted: (message: MessageId) => Promise<boolean>;
  /** As it stands in the timeline by now. */
  readonly shown: (message: MessageId) => TimelineMessage | undefined;
  /** A stored text as one types it. */
  readonly asTyped: (text: string) => string;
  /** Asks first. */
  readonly remove: (message: TimelineMessage) => void;
  readonly linkTo: (message: MessageId) => string;
  readonly markUnread: (seq: number) => void;
  /** Says why something couldn't be done. */
  readonly notice: (detail: string) => void;
  readonly goTo: (message: MessageId) => void;
}

/** A message that was itself refused, rather than a later change to it. */
export function wasRefused(message: Pick<TimelineMessage, "delivery">): boolean {
  return message.delivery === "refused";
}
