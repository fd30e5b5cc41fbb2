// Who asks to edit and goes on before there is an editor isn't moved into it from the middle of a word: its code may come
// over a slow line, and its message may still be on its way to the disk.
import { useEffect } from "react";
import type { MessageId } from "#protocol/ids.ts";

const isEditor = (field: EventTarget | null): boolean => field instanceof HTMLElement && field.dataset["editor"] === "";

export function useGiveUp(editing: MessageId | null, onEdit: (message: MessageId | null) => void): void {
  useEffect(() => {
    if (editing === null || isEditor(document.activeElement)) return;
    const waiting = new AbortController();
    const hear = ({ type, target }: Event): void => {
      if (isEditor(target)) waiting.abort();
      // A key on the message itself was meant for where the order before it leads.
      else if (type === "pointerdown" || (type === "keydown" && target instanceof HTMLTextAreaElement)) onEdit(null);
    };
    // Before the key that asks for it once more.
    for (const type of ["focusin", "keydown", "pointerdown"])
      addEventListener(type, hear, { capture: true, signal: waiting.signal });
    return () => waiting.abort();
  }, [editing, onEdit]);
}
