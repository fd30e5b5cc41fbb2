// How patient a link is. The limits say so, unless the deployment's configuration says otherwise: a test of what happens
// after ten silent seconds needn't be silent for ten.
import type { Config, LinkTiming } from "#protocol/http.ts";
import { BACKOFF_MAX_MS, BACKOFF_MIN_MS, HEARTBEAT_ANSWER_MS, HEARTBEAT_EVERY_MS } from "#protocol/limits.ts";

export type Timing = Required<LinkTiming>;

export const TIMING: Timing = {
  heartbeatEveryMs: HEARTBEAT_EVERY_MS,
  heartbeatAnswerMs: HEARTBEAT_ANSWER_MS,
  backoffMinMs: BACKOFF_MIN_MS,
  backoffMaxMs: BACKOFF_MAX_MS,
};

export const timingOf = ({ timing }: Config): Timing => ({ ...TIMING, ...timing });
