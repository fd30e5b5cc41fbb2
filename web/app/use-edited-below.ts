// What is being edited, where it was still being stored when that began: there is no row to edit it in.
import { useState } from "react";
import type { MessageId, UserId } from "#protocol/ids.ts";
import { ownerOf, wordsHeld, type Words } from "../features/composer/last-words.ts";
import { listedMessage } from "../features/timeline/listed-message.ts";
import { laterCode } from "../ui/later.tsx";
import type { ActionsAround } from "./channel-actions.ts";

/** Asked for before it is needed. */
const useCode = laterCode(() => import("../features/timeline/EditSending.tsx"));

type Code = typeof import("../features/timeline/EditSending.tsx");

interface Begun {
  readonly editing: MessageId | null;
  /** It has no row. */
  readonly sent?: Words;
  /** Its editor has opened, and stays. */
  readonly isOpen?: true;
}

export function useEditedBelow(
  { channel, timeline }: ActionsAround,
  me: UserId,
  editing: MessageId | null,
): (Code & { readonly sent: Words }) | null {
  const [begun, setBegun] = useState<Begun>({ editing: null });
  const code = useCode(true);
  const { sent, isOpen } = begun;
  const held = (wanted: MessageId | null): Words | undefined =>
    wordsHeld(ownerOf(me, channel)).find(({ id }) => id === wanted);
  const isListed = (id: MessageId): boolean => listedMessage(timeline.snapshot(), id) !== undefined;
  if (begun.editing !== editing) {
    const now = held(editing);
    setBegun({ editing, ...(now && !isListed(now.id) && { sent: now }) });
  } else if (sent !== undefined && !isOpen) {
    // It has a row by now, or couldn't be stored and is in the composer again.
    if (isListed(sent.id) || held(sent.id) === undefined) setBegun({ editing });
    else if (code !== null) setBegun({ ...begun, isOpen: true });
  }
  return sent === undefined || !isOpen || code === null ? null : { ...code, sent };
}
