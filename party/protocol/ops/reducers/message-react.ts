// What message.react makes of what there is.
import { defineReducer } from "../op.ts";
import type { args } from "../message-react.ts";

export const messageReactReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "message", id }],
  apply: (args, { actor }, lookup) => {
    const message = lookup("message", args.id);
    if (!message || message.deleted) return [];
    const people = message.reactions?.[args.emoji] ?? [];
    if (people.includes(actor) === args.on) return [];
    const { reactions: before, ...rest } = message;
    const { [args.emoji]: _, ...others } = before ?? {};
    const left = people.filter((person) => person !== actor);
    // Written over in place, so that the order of the chips stays what people saw.
    const reactions = args.on ? { ...before, [args.emoji]: [...people, actor] } : { ...before, [args.emoji]: left };
    const kept = left.length === 0 && !args.on ? others : reactions;
    return [Object.keys(kept).length === 0 ? rest : { ...rest, reactions: kept }];
  },
});
