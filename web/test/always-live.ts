// A line to a workspace that is always good, for views that only tell of it.
import type { Liveness } from "../store/liveness.ts";

export const ALWAYS_LIVE: Liveness = {
  subscribe: () => () => undefined,
  version: () => 0,
  isFlowing: () => true,
  connection: () => ({ state: "live" }),
  liveAt: () => null,
};
