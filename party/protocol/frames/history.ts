// history: a page of messages before a place or around one. Asked with the same name as answered.
import * as v from "valibot";
import { rev, seq } from "../entities/base.ts";
import { message } from "../entities/message.ts";
import { HISTORY_PAGE_MAX } from "../limits.ts";
import { pageBytes, q } from "./base.ts";

const limit = v.exactOptional(v.pipe(v.number(), v.integer()));

/** `limit` is clamped to its range, never refused ([SY2]). */
export const historyAsked = v.pipe(
  v.object({
    t: v.literal("history"),
    q,
    before: v.exactOptional(seq),
    around: v.exactOptional(seq),
    limit,
    bytes: pageBytes,
  }),
  v.check(({ before, around }) => (before === undefined) !== (around === undefined), "has before or around"),
);
export type HistoryAsked = v.InferOutput<typeof historyAsked>;

export function historyLimit(asked: number | undefined): number {
  return Math.min(HISTORY_PAGE_MAX, Math.max(1, asked ?? HISTORY_PAGE_MAX));
}

export const history = v.object({
  t: v.literal("history"),
  q,
  /** Oldest first. */
  messages: v.array(message),
  /** Whether there are older ones than these. */
  more: v.boolean(),
  /** The head when the page was read ([SY6]). */
  rev,
  /** Over HTTP, where no `welcome` says them: the room's history by name, and the place below which there is nothing. */
  epoch: v.exactOptional(v.string()),
  floor: v.exactOptional(seq),
});
export type History = v.InferOutput<typeof history>;
