// channel.archive: closes a channel to writing, or opens it again; reading goes on.
import * as v from "valibot";
import { channelId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { channelArchiveReducer } from "./reducers/channel-archive.ts";

export const args = v.object({ id: channelId, on: v.boolean() });

export const channelArchive = defineOp("channel.archive", "workspace", args, channelArchiveReducer);
