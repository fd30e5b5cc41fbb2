// In a browser that keeps nothing what isn't delivered goes with its page, so that one asks before it is left or loaded
// anew: the browser's own question, for there is no other.
import { useEffect } from "react";
import { totalsOf, useUnsent } from "../features/unsent.ts";
import { typesText } from "./unkept-text.ts";

export function AskBeforeLeaving(): null {
  const unsent = useUnsent();
  const totals = unsent.state === "ready" ? totalsOf(unsent.value, []) : null;
  const isHeld = totals !== null && totals.count + totals.textCount > 0;

  useEffect(() => {
    function ask(event: BeforeUnloadEvent): void {
      // What is typed is a draft, and counted, a quarter of a second later.
      if (isHeld || typesText()) event.preventDefault();
    }
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isHeld]);
  return null;
}
