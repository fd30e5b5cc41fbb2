// message.pin: puts a message on the channel's list of pins or takes it off; never toggles, so that twice is once.
import * as v from "valibot";
import { messageId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { messagePinReducer } from "./reducers/message-pin.ts";

export const args = v.object({ id: messageId, on: v.boolean() });

export const messagePin = defineOp("message.pin", "channel", args, messagePinReducer);
