// message.react: sets one's own reaction on or off; never toggles, so that sending it twice is once.
import * as v from "valibot";
import { emoji } from "../emoji.ts";
import { messageId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { messageReactReducer } from "./reducers/message-react.ts";

export const args = v.object({ id: messageId, emoji, on: v.boolean() });

export const messageReact = defineOp("message.react", "channel", args, messageReactReducer);
