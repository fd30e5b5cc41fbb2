// What a tab left half edited when it ended comes back to whoever edits that next.
import { useEffect, useEffectEvent } from "react";
import { ok, type Result } from "#protocol/result.ts";
import { holdWords, wordsHeld, type Words } from "./last-words.ts";
import { takeLeftWords } from "./left-words.ts";

/** An edit is never a message of its own. */
const isPosted = async (): Promise<Result<boolean, never>> => ok(false);

/**
 * @param owner whose words, and of what
 * @param onFound told of the last of them, held by now; not where something is being typed already
 */
export function useLeftEdit(owner: string, onFound: (words: Words) => void): void {
  const found = useEffectEvent(onFound);
  useEffect(() => {
    const leaving = new AbortController();
    const take = async (left: readonly Words[]): Promise<boolean> => {
      const last = left.at(-1);
      if (last === undefined || leaving.signal.aborted || wordsHeld(owner).length > 0) return false;
      holdWords(owner, last);
      found(last);
      return true;
    };
    void takeLeftWords(owner, isPosted, take, leaving.signal);
    return () => leaving.abort();
  }, [owner]);
}
