// The draft of a composer, for as long as that is on the screen.
import { useEffect, useState } from "react";
import type { DraftStore, OpenDraft } from "./draft.ts";
import { openDraft } from "./open-draft.ts";

export function useDraft(
  draft: DraftStore,
  isTyping: () => boolean,
): Omit<OpenDraft, "text"> & { readonly text: string } {
  const [open] = useState(() => openDraft(draft, isTyping));
  const [text, setText] = useState(open.text);
  useEffect(() => open.follow(setText), [open]);
  return { ...open, text };
}
