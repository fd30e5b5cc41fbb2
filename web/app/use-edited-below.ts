// What is being edited, where it was still being stored when that began: there is no row to edit it in.
import { useEffect, useState } from "react";
import type { MessageId, UserId } from "#protocol/ids.ts";
import { ownerOf, wordsHeld, type Words } from "../features/composer/last-words.ts";
import { listedMessage } from "../features/timeline/listed-message.ts";
import { laterCode } from "../ui/later.tsx";
import type { ActionsAround } from "./channel-actions.ts";

/** Asked for before it is needed: keys wait for no code. */
const useCode = laterCode(() => import("../features/timeline/EditSending.tsx"));

type Code = typeof import("../features/timeline/EditSending.tsx");

export function useEditedBelow(
  { channel, timeline, onEdit }: ActionsAround,
  me: UserId,
  editing: MessageId | null,
): (Code & { readonly sent: Words }) | null {
  const [begun, setBegun] = useState<{ readonly editing: MessageId | null; readonly sent?: Words }>({ editing: null });
  if (begun.editing !== editing) {
    const sent = wordsHeld(ownerOf(me, channel)).find(({ id }) => id === editing);
    setBegun({ editing, ...(sent && listedMessage(timeline.snapshot(), sent.id) === undefined && { sent }) });
  }
  const { sent } = begun;
  const code = useCode(true);
  const isHere = code !== null;

  useEffect(() => {
    // Opened later, it would take the focus from the middle of a word.
    if (sent !== undefined && !isHere) onEdit(null);
  }, [sent, isHere, onEdit]);

  return sent === undefined || code === null ? null : { ...code, sent };
}
