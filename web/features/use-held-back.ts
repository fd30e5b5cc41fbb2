// What was to be discarded with a sign-out that failed goes nowhere until its question is closed, or answered once more.
import { useEffect, useRef } from "react";

/** @returns told of a try that failed, by what calls it off; null where it is to go after all */
export function useHeldBack(): (failed: AbortController | null) => void {
  const held = useRef<AbortController>(null);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      held.current?.abort();
    };
  }, []);
  return (failed) => {
    // One that another press has taken over it leaves alone.
    held.current?.abort();
    // Closed meanwhile, by whatever took its screen away: nobody is asked any more.
    if (!isOpen.current) failed?.abort();
    held.current = failed;
  };
}
