// The text of a composer, kept on the device while one types, and following the stored draft while nobody types here.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { MessageId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import type { Loaded, View } from "../../store/view.ts";
import { joined, putBack, type Unsent } from "../../sync/put-back.ts";
import type { ReplyTarget } from "../../sync/reply-target.ts";
import { answer, answeredIn } from "../answered.ts";
import { arrived, isGone, isUntouched, kept, RESTS_AFTER_MS, without, wrote, type DraftSync } from "./draft-sync.ts";
import { holdWords, isSending, letGo, sentElsewhere, wordsHeld } from "./last-words.ts";

/** While one types it is stored this often; ms. */
const STORE_EVERY_MS = 250;

export interface DraftStore {
  /** Whose words these are, and where. */
  readonly owner: string;
  readonly view: View<Loaded<string>>;
  /**
   * Resolves when it is on disk.
   * @param over what stood there as far as the composer saw
   */
  readonly store: (text: string, over: string) => Promise<Result<void, Failure>>;
  readonly newId: () => MessageId;
  readonly isPosted: (id: MessageId) => Promise<Result<boolean, Failure>>;
}

export interface Draft {
  readonly text: string;
  /** As typed: stored a moment later. */
  readonly type: (text: string) => void;
  /** Empties the composer for a message that takes the stored draft with it. */
  readonly take: () => Taken;
  /** Puts a text that couldn't be sent back, before what was typed since and in the order of those that were. */
  readonly putBack: (taken: Taken) => void;
  /** What stands here now is stored at once. */
  readonly keep: () => void;
  /** Nobody types here any more. */
  readonly leave: () => void;
}

export interface Taken extends Unsent {
  /** The message this text becomes. */
  readonly id: MessageId;
  /** What was stored of it, which goes with it. */
  readonly over: string;
  /** What it answers; what is written while it is being stored answers nothing. */
  readonly answers: ReplyTarget | null;
  /** It is stored as a message, or back in the composer. */
  readonly done: () => void;
}

export function useDraft(draft: DraftStore, isTyping: () => boolean): Draft {
  const { owner, view } = draft;
  const [held] = useState(() => wordsHeld(owner).find(({ isSent }) => !isSent));
  // One that was sent before one looked elsewhere and came back, and is being stored still, is no draft any more.
  const [found] = useState(() => (isSending(owner) ? null : textOf(draft)));
  const [text, setText] = useState(held?.text ?? found ?? "");
  const latest = useRef(text);
  /** The message that is being written, from its first letter on. */
  const writing = useRef(held?.id ?? null);
  const sync = useRef<DraftSync>({ seen: found, over: found ?? "", isBeside: false, written: [] });
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typedAt = useRef(Number.NEGATIVE_INFINITY);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const outside = useRef({ ...draft, isTyping });
  /** What stands here again since it couldn't be sent. */
  const back = useRef<readonly Unsent[]>([]);

  useEffect(() => {
    outside.current = { ...draft, isTyping };
  });

  /** What isn't on disk is copied; what is needs no copy, and no more does nothing. */
  const copy = useCallback((): void => {
    const stored = textOf({ owner, view }) ?? "";
    if (latest.current === "" || latest.current === stored || isUntouched(sync.current, latest.current)) {
      if (writing.current !== null) letGo(owner, writing.current);
    } else {
      writing.current ??= outside.current.newId();
      const over = sync.current.isBeside ? sync.current.over : stored;
      holdWords(owner, { id: writing.current, text: latest.current, over, isSent: false });
    }
    if (latest.current === "") writing.current = null;
  }, [owner, view]);

  const show = useCallback(
    (next: string): void => {
      latest.current = next;
      setText(next);
      copy();
    },
    [copy],
  );

  /** What came from elsewhere takes the place of what nobody touched. */
  const takeOver = useCallback((): void => {
    const stored = textOf({ owner, view });
    if (stored === null || !isUntouched(sync.current, latest.current)) return;
    sync.current = { ...sync.current, over: stored, isBeside: false };
    show(stored);
  }, [owner, show, view]);

  const keep = useCallback(async (): Promise<boolean> => {
    clearTimeout(waiting.current);
    waiting.current = undefined;
    const { over } = sync.current;
    sync.current = wrote(sync.current, latest.current);
    const [now, id] = [latest.current, writing.current];
    const { ok } = await outside.current.store(now, over);
    if (ok) sync.current = kept(sync.current, now);
    else if (sync.current.over === now) sync.current = { ...sync.current, over };
    // Also when this composer has gone meanwhile, and the next one may hold more; not what was sent meanwhile.
    if (ok && id !== null && id === writing.current) letGo(owner, id, now);
    // Who left while it was on its way to the disk hasn't seen what came beside it.
    if (ok && !outside.current.isTyping()) takeOver();
    return ok;
  }, [owner, takeOver]);

  /** Before its time, because one leaves. */
  const flush = useCallback((): void => {
    if (waiting.current !== undefined) void keep();
  }, [keep]);

  useEffect(() => {
    if (held !== undefined) void keep();
  }, [held, keep]);

  /** Nobody types here any more. */
  const leave = useCallback((): void => {
    flush();
    takeOver();
  }, [flush, takeOver]);

  /** As `leave`, with the focus still here, for what isn't a draft any more. */
  const settle = useCallback(
    function settle(): void {
      clearTimeout(settling.current);
      const stored = textOf({ owner, view });
      if (stored === null || !isGone(sync.current, stored, latest.current)) return;
      const rest = typedAt.current + RESTS_AFTER_MS - performance.now();
      if (rest > 0) settling.current = setTimeout(settle, rest);
      else leave();
    },
    [leave, owner, view],
  );

  const follow = useCallback((): void => {
    const stored = textOf({ owner, view });
    if (stored === null || (latest.current === "" && isSending(owner))) return;
    const next = arrived(sync.current, stored, latest.current, outside.current.isTyping());
    sync.current = next.sync;
    if (next.text === latest.current) copy();
    else show(next.text);
    settle();
  }, [owner, view, show, copy, settle]);

  useEffect(() => {
    const leaving = new AbortController();
    let hasAsked = false;
    let isWaiting = isSending(owner);
    let elsewhere = sentElsewhere.get(owner);

    async function comeBack(): Promise<void> {
      // Where its code can't be had, they lie there until the next time.
      const code = await import("./left-words.ts").catch(() => null);
      await code?.takeLeftWords(
        owner,
        outside.current.isPosted,
        async (words) => {
          if (leaving.signal.aborted) return false;
          show(code.restored(textOf({ owner, view }) ?? "", latest.current, words));
          return keep();
        },
        leaving.signal,
      );
    }

    function heard(): void {
      follow();
      if (hasAsked || textOf({ owner, view }) === null) return;
      hasAsked = true;
      void comeBack();
    }
    /** What was sent before this composer opened, or in another tab, is stored, or isn't. */
    function sent(): void {
      const now = sentElsewhere.get(owner);
      if (now === elsewhere && (!isWaiting || isSending(owner))) return;
      elsewhere = now;
      isWaiting &&= isSending(owner);
      follow();
    }
    heard();
    addEventListener("storage", sent, leaving);
    const stop = view.subscribe(heard);
    return () => {
      leaving.abort();
      stop();
      clearTimeout(settling.current);
    };
  }, [owner, view, show, keep, follow]);

  useEffect(() => {
    addEventListener("pagehide", flush);
    document.addEventListener("visibilitychange", flush);
    return () => {
      flush();
      removeEventListener("pagehide", flush);
      document.removeEventListener("visibilitychange", flush);
    };
  }, [flush]);

  return {
    text,
    type: (next) => {
      typedAt.current = performance.now();
      show(next);
      waiting.current ??= setTimeout(() => void keep(), STORE_EVERY_MS);
    },
    take: () => {
      clearTimeout(waiting.current);
      waiting.current = undefined;
      const { over, written: drafts } = sync.current;
      sync.current = wrote(sync.current, "");
      const id = writing.current ?? outside.current.newId();
      const taken = latest.current;
      const answers = answeredIn(owner);
      const stored = textOf(draft) ?? "";
      const grew = { over: sync.current.isBeside ? over : stored, drafts };
      holdWords(owner, { id, text: taken, ...grew, isSent: true, ...(answers && { answers }) });
      answer(owner, null);
      writing.current = null;
      back.current = [];
      show("");
      return {
        text: taken,
        sentAt: performance.now(),
        id,
        over,
        answers,
        done: () => {
          letGo(owner, id);
          follow();
        },
      };
    },
    putBack: (unsent) => {
      if (answeredIn(owner) === null) answer(owner, unsent.answers);
      const next = putBack({ back: back.current, text: latest.current }, unsent);
      back.current = next.back;
      show(next.text);
      // What was stored of it still is.
      sync.current = { ...sync.current, over: joined(unsent.over, sync.current.over) };
      void keep();
    },
    keep: () => void keep(),
    leave,
  };
}

/** What is stored as the draft, without what of it another tab is sending. */
function textOf({ owner, view }: Pick<DraftStore, "owner" | "view">): string | null {
  const now = view.snapshot();
  return now.state === "ready" ? without(now.value, sentElsewhere.get(owner) ?? []) : null;
}
