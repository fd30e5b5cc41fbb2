// channel.create: a channel with its creator in it, and in a private one the people named. Never a DM ([OP16]).
import * as v from "valibot";
import { membershipId } from "../entities/membership.ts";
import { channelId, isDirectChannelId, userId } from "../ids.ts";
import { MEMBERS_PER_OP_MAX } from "../limits.ts";
import { channelName, topic } from "../text.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({
  id: v.pipe(
    channelId,
    v.check((id) => !isDirectChannelId(id), "is not the id of a direct message"),
  ),
  access: v.picklist(["public", "private"]),
  name: channelName,
  topic: v.exactOptional(topic),
  members: v.exactOptional(v.pipe(v.array(userId), v.maxLength(MEMBERS_PER_OP_MAX))),
});

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

export const channelCreate = defineOp("channel.create", "workspace", args, channelCreateReducer);
