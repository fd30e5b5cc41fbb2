// message.delete: the tombstone keeps place, author and replies; text, reactions and earlier versions go ([RV3]).
import * as v from "valibot";
import { messageId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { messageDeleteReducer } from "./reducers/message-delete.ts";

export const args = v.object({ id: messageId });

export const messageDelete = defineOp("message.delete", "channel", args, messageDeleteReducer);
