// draft.set: an unsent text, the same on all of one's devices. Empty takes it away.
import * as v from "valibot";
import { myStateId } from "../entities/my-state.ts";
import { channelId, messageId } from "../ids.ts";
import { DRAFT_MAX_CHARS } from "../limits.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({
  channel: channelId,
  root: v.exactOptional(messageId),
  text: v.pipe(v.string(), v.maxLength(DRAFT_MAX_CHARS)),
});

export const draftSetReducer = defineReducer<typeof args>({
  reads: ({ channel, root }, { actor }) => [{ kind: "draft", id: myStateId(actor, channel, root) }],
  apply: ({ channel, root, text }, { actor, at }, lookup) => {
    const id = myStateId(actor, channel, root);
    const before = lookup("draft", id);
    const keys = { kind: "draft" as const, id, user: actor, channel, ...(root === undefined ? {} : { root }) };
    const standing = before === undefined || before.deleted ? "" : before.text;
    if (standing === text) return [];
    return [text === "" ? { ...keys, deleted: true } : { ...keys, text, at }];
  },
});

export const draftSet = defineOp("draft.set", "workspace", args, draftSetReducer);
