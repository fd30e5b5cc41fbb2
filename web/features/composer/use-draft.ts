// The text of a composer, kept on the device at every pause, and following the stored draft while nobody types here.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Loaded, View } from "../../store/view.ts";
import { arrived, wrote, type DraftSync } from "./draft-sync.ts";
import { keepWords, leftWords } from "./last-words.ts";

/** A pause in typing; ms. */
const PAUSE_MS = 250;

export interface Draft {
  readonly text: string;
  /** As typed: stored at the next pause. */
  readonly type: (text: string) => void;
  /** Empties the composer for a message that takes the stored draft with it; what it answers says that it did. */
  readonly take: () => () => void;
  /** Puts a text that couldn't be sent back, before what was typed since. */
  readonly putBack: (text: string) => void;
  /** What stands here now is stored at once. */
  readonly keep: () => void;
  /** What was typed since the last pause is stored at once. */
  readonly flush: () => void;
}

/** @param owner whose words these are, and where */
export function useDraft(
  owner: string,
  view: View<Loaded<string>>,
  store: (text: string) => void,
  isTyping: () => boolean,
): Draft {
  const [left] = useState(() => leftWords(owner));
  const [text, setText] = useState(() => left ?? textOf(view) ?? "");
  /** Sent, and not known to be stored yet. */
  const leaving = useRef<readonly string[]>([]);
  const latest = useRef(text);
  const sync = useRef<DraftSync>({ seen: textOf(view), written: [] });
  const pausing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const outside = useRef({ store, isTyping });

  useEffect(() => {
    outside.current = { store, isTyping };
  });

  /** What isn't on disk is copied; what is needs no copy. */
  const copy = useCallback((): void => {
    const isStored = leaving.current.length === 0 && textOf(view) === latest.current;
    const words = [...leaving.current, latest.current].filter((each) => each !== "").join("\n");
    keepWords(owner, isStored ? "" : words);
  }, [owner, view]);

  const show = useCallback(
    (next: string): void => {
      latest.current = next;
      setText(next);
      copy();
    },
    [copy],
  );

  const keep = useCallback((): void => {
    clearTimeout(pausing.current);
    pausing.current = undefined;
    sync.current = wrote(sync.current, latest.current);
    outside.current.store(latest.current);
  }, []);

  /** Before the pause is over, because one leaves. */
  const flush = useCallback((): void => {
    if (pausing.current !== undefined) keep();
  }, [keep]);

  useEffect(() => {
    if (left !== null) keep();
  }, [left, keep]);

  useEffect(() => {
    function follow(): void {
      const stored = textOf(view);
      if (stored === null) return;
      const next = arrived(sync.current, stored, latest.current, outside.current.isTyping());
      sync.current = next.sync;
      if (next.text === latest.current) copy();
      else show(next.text);
    }
    follow();
    return view.subscribe(follow);
  }, [view, show, copy]);

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
      show(next);
      clearTimeout(pausing.current);
      pausing.current = setTimeout(keep, PAUSE_MS);
    },
    take: () => {
      clearTimeout(pausing.current);
      pausing.current = undefined;
      sync.current = wrote(sync.current, "");
      const sent = latest.current;
      leaving.current = [...leaving.current, sent];
      show("");
      return () => {
        leaving.current = leaving.current.toSpliced(leaving.current.indexOf(sent), 1);
        copy();
      };
    },
    putBack: (unsent) => {
      show(latest.current === "" ? unsent : `${unsent}\n${latest.current}`);
      keep();
    },
    keep,
    flush,
  };
}

function textOf(view: View<Loaded<string>>): string | null {
  const now = view.snapshot();
  return now.state === "ready" ? now.value : null;
}
