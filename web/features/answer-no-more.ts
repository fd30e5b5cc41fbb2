// What is being written in answer to a message that leaves its channel, or that is gone: it stays, and answers
// nothing from then on.
import type { MessageId } from "#protocol/ids.ts";
import { messageIn, rootIn } from "../sync/reply-target.ts";
import { answer, answeredIn } from "./answered.ts";

/** @param owner whose composer, and where: as for its words */
export function answerNoMore(owner: string, message: MessageId): void {
  const answered = answeredIn(owner);
  // Nor where it was to answer a reply to that.
  if (answered !== null && [messageIn(answered), rootIn(answered)].includes(message)) answer(owner, null);
}
