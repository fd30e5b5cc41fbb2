// Where the focus is while a message is edited in its place, and where it goes afterwards.
import { useEffect, useRef, useState, type RefObject } from "react";
import { isTouch } from "../../ui/media.ts";
import { focusComposer } from "../composer/focus.ts";

export interface FieldFocus {
  /** Left, or saved; else its row alone has gone, and comes back. */
  readonly isOver: RefObject<boolean>;
  /** Where one came from. */
  readonly from: RefObject<Element | null>;
  /** The button that one came by goes with its toolbar: who pressed it by a pointer goes on at the composer. */
  readonly isByKeyboard: boolean;
  /** Into the field, from wherever one is. */
  readonly enter: () => void;
}

/** @param isUnasked nobody has just asked to edit: it takes no focus */
export function useFieldFocus(area: RefObject<HTMLTextAreaElement | null>, isUnasked: boolean): FieldFocus {
  const isOver = useRef(false);
  const from = useRef<Element | null>(null);
  const [isByKeyboard] = useState(() => document.activeElement?.matches(":focus-visible") === true);

  useEffect(() => {
    const field = area.current;
    const article = field?.closest("article");
    // React runs it twice where one develops.
    if (document.activeElement !== field) from.current = document.activeElement;
    if (!isUnasked) field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
    return () => {
      const now = document.activeElement;
      // Somebody who went on elsewhere while it was stored types there.
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- no node: as it is by then
      if (!isOver.current || (now !== document.body && now !== field)) return;
      // Back to where one came from: the composer, the message, or in place of a button that is gone the message.
      const back = from.current;
      const isThere = back instanceof HTMLElement && back.isConnected && back !== document.body;
      if (isThere) back.focus();
      else if (isByKeyboard && !(back instanceof HTMLTextAreaElement)) article?.focus();
      else if (!isTouch()) focusComposer();
    };
  }, [area, isUnasked, isByKeyboard]);

  function enter(): void {
    const field = area.current;
    if (document.activeElement !== field) from.current = document.activeElement;
    field?.focus();
  }

  return { isOver, from, isByKeyboard, enter };
}
