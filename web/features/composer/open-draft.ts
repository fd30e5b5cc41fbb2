// The text of a composer, kept on the device while one types, and following the stored draft while nobody types here.
import { without } from "#protocol/ops/merge-draft.ts";
import { answer, answeredIn } from "../answered.ts";
import type { DraftStore, OpenDraft, Taken } from "./draft.ts";
import {
  arrived,
  failed,
  grownFrom,
  isGone,
  isUntouched,
  kept,
  opened,
  oursIn,
  RESTS_AFTER_MS,
  took,
  wrote,
  type GrownFrom,
} from "./draft-sync.ts";
import {
  corrections,
  holdWords,
  isSending,
  letGo,
  letGoOfDraft,
  sent,
  sentElsewhere,
  wordsHeld,
} from "./last-words.ts";
import { putBack, type Unsent } from "../../sync/put-back.ts";

/** While one types it is stored this often, on a disk that keeps up; ms. */
const STORE_EVERY_MS = 250;

/** owner → the one on the screen */
const onScreen = new Map<string, OpenDraft>();

/** owner → what stands in its composer again since it couldn't be sent, whichever is open by then */
const back = new Map<string, readonly Unsent[]>();

/** owner → a composer that was left empty, with what of it may be on disk still */
const emptied = new Map<string, GrownFrom & { readonly id: null; readonly text: "" }>();

/** @param isTyping whether somebody is at this composer right now */
export function openDraft(draft: DraftStore, isTyping: () => boolean): OpenDraft {
  const { owner, view, store, newId, isPosted } = draft;
  const held = wordsHeld(owner).find(({ isSent }) => !isSent) ?? emptied.get(owner);
  // One that was sent before one looked elsewhere and came back, and is being stored still, is no draft any more.
  const found = isSending(owner) ? null : stored();
  let text = held?.text ?? found ?? "";
  /** The message that is being written, from its first letter on. */
  let writing = held?.id ?? null;
  let sync = opened(found, held);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  /** The disk was full. */
  let hasFailed = false;
  let typedAt = -RESTS_AFTER_MS;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let tell: ((text: string) => void) | undefined;
  /** What stood here is the next composer's, which may have sent it by now. */
  let isLeft = false;

  /** What is stored as the draft, without what of it another tab is sending. */
  function stored(): string | null {
    const now = view.snapshot();
    return now.state === "ready" ? without(now.value, sentElsewhere.get(owner) ?? []) : null;
  }

  /**
   * What isn't on disk is copied; what is needs no copy, unless a message on its way there takes it along, and no more does
   * nothing.
   */
  function copy(): void {
    const isStored = text === stored() && sync.written.length === 0 && !isSending(owner);
    if (text === "" || isStored || isUntouched(sync, text)) {
      letGoOfDraft(owner, writing);
    } else {
      writing ??= newId();
      holdWords(owner, { id: writing, text, ...grownFrom(sync), isSent: false });
    }
    if (text === "") writing = null;
  }

  function show(next: string): void {
    text = next;
    tell?.(next);
    copy();
  }

  /** What came from elsewhere takes the place of what nobody touched. */
  function takeOver(): void {
    const now = stored();
    if (now === null || !isUntouched(sync, text)) return;
    typedAt = -RESTS_AFTER_MS;
    sync = took(now);
    show(now);
  }

  async function keep(): Promise<boolean> {
    clearTimeout(waiting);
    waiting = undefined;
    // What is given to the disk twice would stand there again where another tab sends it in between.
    hasFailed = false;
    const over = oursIn(sync);
    const [now, id] = [text, writing];
    sync = wrote(sync, now);
    const { ok } = await store(now, over);
    hasFailed = !ok;
    if (ok && now === "") emptied.delete(owner);
    sync = (ok ? kept : failed)(sync, now);
    // Also when this composer has gone meanwhile, and the next one may hold more.
    if (ok) letGoOfDraft(owner, id ?? writing, now);
    // Who left while it was on its way to the disk hasn't seen what came beside it, nor who had emptied it.
    if (ok && !isLeft && (text === "" || !isTyping())) takeOver();
    return ok;
  }

  /** One after the other: a disk that hangs isn't given more each time. */
  function keepSoon(): void {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      if (sync.written.length > 0) keepSoon();
      else void keep();
    }, STORE_EVERY_MS);
  }

  /** Before its time, because one leaves; or once more. */
  function flush(): void {
    if (waiting !== undefined || hasFailed) void keep();
  }

  function leave(): void {
    flush();
    takeOver();
  }

  /** As `leave`, with the focus still here, for what isn't a draft any more. */
  function settle(): void {
    clearTimeout(settling);
    const now = stored();
    if (now === null || !isGone(sync, now, text)) return;
    const rest = typedAt + RESTS_AFTER_MS - performance.now();
    if (rest > 0) settling = setTimeout(settle, rest);
    else leave();
  }

  function hear(): void {
    const now = stored();
    if (now === null || (text === "" && isSending(owner))) return;
    // Nothing of what comes was typed here: sent elsewhere, it goes at once.
    if (text === "") typedAt = -RESTS_AFTER_MS;
    const next = arrived(sync, now, text, isTyping());
    sync = next.sync;
    show(next.text);
    settle();
  }

  /** It is a message on this device, or stands here again. */
  function end({ id }: Taken): void {
    letGo(owner, id);
    if (isLeft) return;
    void keep();
    hear();
  }

  /** What tabs that ended left behind. */
  async function comeBack(signal: AbortSignal): Promise<void> {
    // Where its code can't be had, they lie there until the next time.
    const code = await import("./left-words.ts").catch(() => null);
    await code?.takeLeftWords(
      owner,
      isPosted,
      (words) => {
        show(code.restored(owner, stored(), text, words));
        return code.outlives(owner, keep());
      },
      signal,
    );
  }

  const self: OpenDraft = {
    text: () => text,
    type: (next) => {
      typedAt = performance.now();
      show(next);
      keepSoon();
    },
    take: () => {
      clearTimeout(waiting);
      waiting = undefined;
      const id = writing ?? newId();
      const answers = answeredIn(owner);
      const taken = { text, order: performance.now(), id, over: oursIn(sync), answers };
      holdWords(owner, { id, text, ...grownFrom(sync), isSent: true, ...(answers && { answers }) });
      sent.push([owner, taken]);
      sync = wrote(sync, "");
      answer(owner, null);
      writing = null;
      back.delete(owner);
      show("");
      return taken;
    },
    sent: (taken) => {
      sync = kept(sync, "");
      end(taken);
    },
    putBack: (taken) => {
      sync = failed(sync, "");
      const text = corrections.get(taken.id)?.() ?? taken.text;
      (onScreen.get(owner) ?? openDraft(draft, isTyping)).takeBack({ ...taken, text });
    },
    takeBack: (taken) => {
      if (answeredIn(owner) === null) answer(owner, taken.answers);
      const next = putBack({ back: back.get(owner) ?? [], text }, taken);
      back.set(owner, next.back);
      // What was stored of it still is.
      sync = { ...sync, over: [...taken.over, ...sync.over] };
      show(next.text);
      end(taken);
    },
    leave,
    follow: (told) => {
      tell = told;
      isLeft = false;
      onScreen.set(owner, self);
      const leaving = new AbortController();
      let hasAsked = false;
      let isWaiting = isSending(owner);
      let elsewhere = sentElsewhere.get(owner);

      function heard(): void {
        hear();
        if (hasAsked || stored() === null) return;
        hasAsked = true;
        void comeBack(leaving.signal);
      }
      /** What was sent before this composer opened, or in another tab, is stored, or isn't. */
      function wasSent(): void {
        const now = sentElsewhere.get(owner);
        if (now === elsewhere && (!isWaiting || isSending(owner))) return;
        elsewhere = now;
        isWaiting &&= isSending(owner);
        hear();
      }
      if (held !== undefined) void keep();
      heard();
      addEventListener("storage", wasSent, leaving);
      addEventListener("pagehide", flush, leaving);
      document.addEventListener("visibilitychange", flush, leaving);
      const stop = view.subscribe(heard);
      return () => {
        flush();
        if (text === "" && sync.written.length > 0 && !isSending(owner))
          emptied.set(owner, { id: null, text, ...grownFrom(sync) });
        isLeft = true;
        if (onScreen.get(owner) === self) onScreen.delete(owner);
        leaving.abort();
        stop();
        clearTimeout(settling);
      };
    },
  };
  return self;
}
