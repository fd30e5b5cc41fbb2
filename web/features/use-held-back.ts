// What was to be discarded with a sign-out that failed goes nowhere while its person is asked once more; not for ever, for
// nothing else goes meanwhile either, in any tab.
import { useEffect, useRef, useState } from "react";
import { HELD_BACK_FOR_MS } from "../sync/held-back-for.ts";
import type { SignOutFailure } from "./sign-out.ts";

export interface HeldBack {
  readonly isHeld: boolean;
  /** A try has failed. @param calling what calls it off */
  readonly failed: (failure: SignOutFailure, calling: AbortController) => void;
  /** It is to go after all. */
  readonly end: () => void;
}

export function useHeldBack(): HeldBack {
  const last = useRef<AbortController>(null);
  const isOpen = useRef(true);
  const [held, setHeld] = useState<AbortController | null>(null);

  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      last.current?.abort();
    };
  }, []);

  useEffect(() => {
    if (held === null) return;
    const timer = setTimeout(() => setHeld(null), HELD_BACK_FOR_MS);
    return () => clearTimeout(timer);
  }, [held]);

  return {
    isHeld: held !== null,
    failed: ({ isHeldBack }, calling) => {
      // What another press has taken over, that leaves alone.
      last.current?.abort();
      last.current = calling;
      setHeld(isHeldBack === true ? calling : null);
      // Closed meanwhile, by whatever took its screen away: nobody is asked any more.
      if (!isOpen.current) calling.abort();
    },
    end: () => {
      last.current?.abort();
      setHeld(null);
    },
  };
}
