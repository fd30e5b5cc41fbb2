// What draft.set makes of what there is.
import { myStateId } from "../../entities/keys.ts";
import { mergeDraft } from "../merge-draft.ts";
import { defineReducer } from "../op.ts";
import type { args } from "../draft-set.ts";

export const draftSetReducer = defineReducer<typeof args>({
  reads: ({ channel, root }, { actor }) => [{ kind: "draft", id: myStateId(actor, channel, root) }],
  apply: ({ channel, root, text: typed, over }, { actor, at }, lookup) => {
    const id = myStateId(actor, channel, root);
    const before = lookup("draft", id);
    const keys = { kind: "draft" as const, id, user: actor, channel, ...(root === undefined ? {} : { root }) };
    const standing = before === undefined || before.deleted ? "" : before.text;
    const text = mergeDraft(standing, over, typed);
    if (standing === text) return [];
    return [text === "" ? { ...keys, deleted: true } : { ...keys, text, at }];
  },
});
