// What message.edit makes of what there is. The later one wins; one that had not seen the earlier ones leaves them readable.
import type { LiveMessage } from "../../entities/message.ts";
import { TEXT_MAX_CHARS } from "../../limits.ts";
import { has } from "../merge-draft.ts";
import { defineReducer } from "../op.ts";
import type { args } from "../message-edit.ts";

export const messageEditReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "message", id }],
  apply: (args, ctx, lookup) => {
    const message = lookup("message", args.id);
    if (!message || message.deleted || message.text === args.text) return [];
    const { mentions: _, replaced: _seen, ...rest } = message;
    const mentions = args.mentions?.length ? { mentions: args.mentions } : {};
    const edits = (message.edits ?? 0) + 1;
    const replaced = args.base < (message.textRev ?? 0) ? { replaced: unseen(message, args.text) } : {};
    return [{ ...rest, ...mentions, text: args.text, editedAt: ctx.at, edits, textRev: ctx.rev, ...replaced }];
  },
});

/** All texts together no longer than one may be: a message must stay small enough to be stored ([RV8]). */
function unseen(message: LiveMessage, next: string): NonNullable<LiveMessage["replaced"]> {
  const { text, editedAt, createdAt, replaced } = message;
  const at = editedAt ?? createdAt;
  // What that one replaced unseen may not have been seen by this one either; where it stands in it, it can be read there.
  const before = replaced?.text ?? text;
  const all = has(`${text}\n${next}`, before) ? text : `${before}\n${text}`;
  const shown = [all, text].find(({ length }) => length + next.length <= TEXT_MAX_CHARS);
  return shown === undefined ? { at } : { text: shown, at };
}
