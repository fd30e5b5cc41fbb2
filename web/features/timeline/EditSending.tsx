// The editor of a text that was just sent and is still being stored, where its person corrects it already: it has no row
// yet. It stays here until it is saved or left, for what one types, selects or composes in it must not move meanwhile.
import { useEffect, useEffectEvent, useRef, type ReactElement } from "react";
import type { UserId } from "#protocol/ids.ts";
import { normalise } from "#protocol/text.ts";
import type { TimelineMessage, TimelineSnapshot } from "../../store/timeline-snapshots.ts";
import type { View } from "../../store/view.ts";
import { focusComposer } from "../composer/focus.ts";
import { holdWords, letGo, ownerOf, wordsHeld, type Words } from "../composer/last-words.ts";
import { useView } from "../services.ts";
import type { Editable, MessageActions } from "./actions.ts";
import { EditMessage } from "./EditMessage.tsx";
import { messageIn } from "./message-in.ts";
import styles from "./EditMessage.module.css";

interface EditSendingProps {
  readonly sent: Words;
  readonly me: UserId;
  readonly window: View<TimelineSnapshot>;
  readonly actions: MessageActions;
  /** Also where that can't be read. */
  readonly isPosted: () => Promise<boolean>;
}

export function EditSending({ sent, me, window, actions, isPosted }: EditSendingProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const { id } = sent;
  const text = normalise(sent.text);
  const owners = { post: ownerOf(me, actions.channel), edit: ownerOf(me, id) };
  const unlisted: Editable = { id, author: me, text, isDeleted: false, rev: 0, delivery: "queued" };

  /** Names stand in it by their ids once it is stored, and it is as it was. */
  const isAsSent = (listed: TimelineMessage): boolean => actions.asTyped(listed.text) === text;

  const saveEdit: MessageActions["saveEdit"] = async (_, changed, seen) => {
    // Before it, it would be an edit of nothing.
    await whenSent(owners.post, id);
    // What couldn't be stored is the composer's.
    if (!(await isPosted())) return true;
    const stored = messageIn(window.snapshot(), id);
    if (stored === undefined) return actions.saveEdit(unlisted, changed, seen);
    return actions.saveEdit(stored, changed, seen.text === text && isAsSent(stored) ? stored : seen);
  };

  /** Where it can't be stored it comes back into the composer, as corrected. */
  const correct = useEffectEvent((): void => {
    const [sending, edit] = [wordsHeld(owners.post).find((words) => words.id === id), wordsHeld(owners.edit)[0]];
    if (sending !== undefined && edit !== undefined && edit.text !== sending.text)
      holdWords(owners.post, { ...sending, text: edit.text });
  });
  const watch = useEffectEvent(async (): Promise<void> => {
    await whenSent(owners.post, id);
    if (await isPosted()) return;
    letGo(owners.edit, id);
    // One types on where the words are now.
    if (place.current?.contains(document.activeElement)) focusComposer();
    actions.stopEditing(id);
  });
  useEffect(() => {
    void watch();
    addEventListener("storage", correct);
    return () => removeEventListener("storage", correct);
  }, []);

  const listed = messageIn(useView(window), id);
  const message = listed === undefined ? unlisted : isAsSent(listed) ? { ...listed, text } : listed;
  return (
    <div ref={place} className={styles.below}>
      <EditMessage message={message} actions={{ ...actions, saveEdit }} />
    </div>
  );
}

/** Resolves when it is stored, or can't be. */
function whenSent(owner: string, id: Words["id"]): Promise<void> {
  return new Promise((resolve) => {
    const looking = new AbortController();
    function look(): void {
      if (wordsHeld(owner).some((words) => words.id === id)) return;
      looking.abort();
      resolve();
    }
    addEventListener("storage", look, looking);
    look();
  });
}
