// What message.pin makes of what there is.
import { defineReducer } from "../op.ts";
import type { args } from "../message-pin.ts";

export const messagePinReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "message", id }],
  apply: ({ id, on }, { actor, at }, lookup) => {
    const message = lookup("message", id);
    if (!message || message.deleted || (message.pinned !== undefined) === on) return [];
    const { pinned: _, ...rest } = message;
    return [on ? { ...rest, pinned: { by: actor, at } } : rest];
  },
});
