// The union of frames from room to client.
import type * as v from "valibot";
import { ack, refuse } from "./frames/answer.ts";
import { authed, youFrame } from "./frames/auth.ts";
import { changes } from "./frames/changes.ts";
import { errorFrame } from "./frames/error.ts";
import { history } from "./frames/history.ts";
import { signal } from "./frames/signal.ts";
import { snapshot } from "./frames/snapshot.ts";
import { headsFrame, welcome } from "./frames/welcome.ts";

export const DOWN = {
  welcome,
  snapshot,
  changes,
  history,
  heads: headsFrame,
  ack,
  refuse,
  signal,
  you: youFrame,
  authed,
  error: errorFrame,
} as const;
export type DownFrame = v.InferOutput<(typeof DOWN)[keyof typeof DOWN]>;
