// channel.archive: closes a channel to writing, or opens it again; reading goes on.
import * as v from "valibot";
import { channelId } from "../ids.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({ id: channelId, on: v.boolean() });

export const channelArchiveReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "channel", id }],
  apply: ({ id, on }, { at }, lookup) => {
    const channel = lookup("channel", id);
    if (!channel || channel.deleted || (channel.archivedAt !== undefined) === on) return [];
    const { archivedAt: _, ...rest } = channel;
    return [on ? { ...rest, archivedAt: at } : rest];
  },
});

export const channelArchive = defineOp("channel.archive", "workspace", args, channelArchiveReducer);
