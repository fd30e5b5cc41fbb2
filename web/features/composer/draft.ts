// What a composer's draft is: where it is stored, what can be done with it, and what of it becomes a message (open-draft.ts).
import type { Failure } from "#protocol/errors.ts";
import type { MessageId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import type { Loaded, View } from "../../store/view.ts";
import type { Unsent } from "../../sync/put-back.ts";
import type { ReplyTarget } from "../../sync/reply-target.ts";

export interface DraftStore {
  /** Whose words these are, and where. */
  readonly owner: string;
  readonly view: View<Loaded<string>>;
  /**
   * Resolves when it is on disk.
   * @param over what may stand there of this composer's, oldest first
   */
  readonly store: (text: string, over: readonly string[]) => Promise<Result<unknown, Failure>>;
  readonly newId: () => MessageId;
  readonly isPosted: (id: MessageId) => Promise<Result<boolean, Failure>>;
}

export interface OpenDraft {
  readonly text: () => string;
  /** As typed: stored a moment later. */
  readonly type: (text: string) => void;
  /** Empties the composer for a message that takes the stored draft with it. */
  readonly take: () => Taken;
  /** It is stored; what was typed since takes its place as the draft. */
  readonly sent: (taken: Taken) => void;
  /** It couldn't be: puts it back into the composer that is on the screen by now, or the draft. */
  readonly putBack: (taken: Taken) => void;
  /** Before what was typed since, and in the order of those that came back before. */
  readonly takeBack: (taken: Taken) => void;
  /** Nobody types here any more. */
  readonly leave: () => void;
  /** Follows the stored draft from now on; answers how to stop, which stores what isn't yet. */
  readonly follow: (tell: (text: string) => void) => () => void;
}

export interface Taken extends Unsent {
  /** The message this text becomes. */
  readonly id: MessageId;
  /** What may be stored of it, oldest first, which goes with it. */
  readonly over: readonly string[];
  /** What it answers; what is written while it is being stored answers nothing. */
  readonly answers: ReplyTarget | null;
}
