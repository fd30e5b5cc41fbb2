// What channel.create makes of what there is.
import { membershipId } from "../../entities/keys.ts";
import { defineReducer } from "../op.ts";
import type { args } from "../channel-create.ts";

export const channelCreateReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "channel", id }],
  apply: ({ id, access, name, topic: about = "", members = [] }, { actor, at }, lookup) => {
    if (lookup("channel", id)) return [];
    const people = [...new Set([actor, ...members])];
    return [
      {
        kind: "channel",
        id,
        access,
        name,
        topic: about,
        purpose: "",
        createdBy: actor,
        createdAt: at,
        posting: "all",
      },
      ...people.map((user) => ({
        kind: "membership" as const,
        id: membershipId(id, user),
        channel: id,
        user,
        joinedAt: at,
      })),
    ];
  },
});
