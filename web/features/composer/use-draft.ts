// The draft of a composer, for as long as that is on the screen.
import { useEffect, useState } from "react";
import { openDraft, type DraftStore, type OpenDraft } from "./open-draft.ts";

export function useDraft(
  draft: DraftStore,
  isTyping: () => boolean,
): Omit<OpenDraft, "text"> & { readonly text: string } {
  const [open] = useState(() => openDraft(draft, isTyping));
  const [text, setText] = useState(open.text);
  useEffect(() => open.follow(setText), [open]);
  return { ...open, text };
}
