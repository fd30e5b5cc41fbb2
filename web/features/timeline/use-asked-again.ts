// Hears that a message that is being edited is to be edited: by the keys that lead to its editor, once more.
import { useEffect, useEffectEvent, type RefObject } from "react";

/** What leads to the editor from a message, by keys (keys.ts). */
export const ORDER = "e";

/** @param isUnasked nobody has just asked to edit: what one presses elsewhere isn't meant for it */
export function useAskedAgain(area: RefObject<HTMLTextAreaElement | null>, isUnasked: boolean, goOn: () => void): void {
  const hear = useEffectEvent((event: KeyboardEvent): void => {
    // The timeline's keys have dealt with that one by then.
    const isOrder = event.key === ORDER && event.defaultPrevented && event.target === area.current?.closest("article");
    if (isOrder || asksToEdit(event)) goOn();
  });

  useEffect(() => {
    if (isUnasked) return;
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, [isUnasked]);
}

/**
 * The composer alone takes this key of a field without words. It has dealt with it by then: where it led to another
 * message, that one's editor stands there in place of this one.
 */
function asksToEdit({ key, target, defaultPrevented }: KeyboardEvent): boolean {
  const isEmpty = target instanceof HTMLTextAreaElement && target.value === "";
  return key === "ArrowUp" && defaultPrevented && isEmpty;
}
