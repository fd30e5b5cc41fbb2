// What was to be discarded with a sign-out that failed goes nowhere while its person is asked once more; not for ever, for
// nothing else goes meanwhile either, in any tab.
import { useEffect, useRef, useState } from "react";
import { HELD_BACK_FOR_MS } from "../sync/held-back-for.ts";

export interface HeldBack {
  readonly isHeld: boolean;
  /** @param calling what calls off the try that failed */
  readonly hold: (calling: AbortController) => void;
  /** Another press, or it is to go after all. */
  readonly end: () => void;
}

export function useHeldBack(): HeldBack {
  const held = useRef<AbortController>(null);
  const isOpen = useRef(true);
  const [isHeld, setHeld] = useState(false);

  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      held.current?.abort();
    };
  }, []);

  useEffect(() => {
    if (!isHeld) return;
    const timer = setTimeout(() => setHeld(false), HELD_BACK_FOR_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);

  return {
    isHeld,
    hold: (calling) => {
      // One that another press has taken over it leaves alone.
      held.current?.abort();
      held.current = calling;
      setHeld(true);
      // Closed meanwhile, by whatever took its screen away: nobody is asked any more.
      if (!isOpen.current) calling.abort();
    },
    end: () => {
      held.current?.abort();
      setHeld(false);
    },
  };
}
