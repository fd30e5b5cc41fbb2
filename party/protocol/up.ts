// The union of frames from client to room.
import type * as v from "valibot";
import { auth } from "./frames/auth.ts";
import { hello } from "./frames/hello.ts";
import { historyAsked } from "./frames/history.ts";
import { op, skip } from "./frames/op.ts";
import { pull } from "./frames/pull.ts";
import { signalSent } from "./frames/signal.ts";

export const UP = { hello, pull, history: historyAsked, op, skip, signal: signalSent, auth } as const;
export type UpFrame = v.InferOutput<(typeof UP)[keyof typeof UP]>;
