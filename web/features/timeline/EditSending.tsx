// The editor of a text that was just sent and is still being stored, where its person corrects it already: it has no row
// yet. It stays here until it is saved or left, for what one types, selects or composes in it must not move meanwhile.
import { useEffect, useEffectEvent, useRef, useState, type ReactElement } from "react";
import type { UserId } from "#protocol/ids.ts";
import { normalise } from "#protocol/text.ts";
import type { TimelineMessage, TimelineSnapshot } from "../../store/timeline-snapshots.ts";
import type { View } from "../../store/view.ts";
import { acts } from "../../ui/strings-actions.ts";
import { focusComposer } from "../composer/focus.ts";
import { corrections, letGo, ownerOf, wordsHeld, type Words } from "../composer/last-words.ts";
import { useView } from "../services.ts";
import type { Editable, MessageActions } from "./actions.ts";
import { EditMessage } from "./EditMessage.tsx";
import styles from "./EditMessage.module.css";
import { listedMessage } from "./listed-message.ts";

/** They couldn't be stored: a composer has them, as they were corrected. */
const cameBack = new Set<Words["id"]>();

interface EditSendingProps {
  readonly sent: Words;
  readonly me: UserId;
  readonly window: View<TimelineSnapshot>;
  readonly actions: MessageActions;
}

export function EditSending({ sent, me, window, actions }: EditSendingProps): ReactElement {
  const { id } = sent;
  const owner = ownerOf(me, id);
  const post = ownerOf(me, actions.channel);
  const text = normalise(sent.text);
  const place = useRef<HTMLElement>(null);
  const listed = listedMessage(useView(window), id);
  /** A correction of it that is stored before it was sent goes into it, and leaves no other mark. */
  const [first, setFirst] = useState(listed);
  if (first === undefined && listed !== undefined) setFirst(listed);
  const isCorrected = listed?.text !== first?.text;
  const unlisted: Editable = { id, author: me, text, isDeleted: false, rev: 0, delivery: "queued" };

  const saveEdit: MessageActions["saveEdit"] = async (_, changed, seen) => {
    // Before it, it would be an edit of nothing.
    await whenSent(post, id);
    if (cameBack.has(id)) return true;
    const stored = listedMessage(window.snapshot(), id);
    // Taken back or discarded meanwhile, it would be an edit of nothing.
    if (stored === undefined && !(await actions.isPosted(id))) return actions.post(changed);
    return actions.saveEdit(
      stored ?? unlisted,
      changed,
      stored && isAsSent(stored) && seen.text === text ? stored : seen,
    );
  };

  const leave = useEffectEvent((): void => {
    // One types on there.
    if (place.current?.contains(document.activeElement)) focusComposer();
    actions.stopEditing(id);
  });

  useEffect(() => {
    // Also where one has left by then.
    corrections.set(id, () => {
      cameBack.add(id);
      const [words] = wordsHeld(owner);
      letGo(owner, id);
      leave();
      return words?.text.trim() ? words.text : undefined;
    });
    // Nobody asks for it once that is over.
    return () => void whenSent(post, id).then(() => corrections.delete(id));
  }, [id, owner, post]);

  return (
    <article ref={place} className={styles.below} aria-label={acts.editMessage}>
      <EditMessage
        message={listed === undefined ? unlisted : isAsSent(listed) && !isCorrected ? { ...listed, text } : listed}
        actions={{ ...actions, saveEdit }}
      />
    </article>
  );
}

/** Names stand in it by their ids, and it is what was sent. */
const isAsSent = ({ isEdited, isDeleted }: TimelineMessage): boolean => !isEdited && !isDeleted;

const isBeingStored = (post: string, id: Words["id"]): boolean => wordsHeld(post).some((words) => words.id === id);

/** Resolves when it is stored, or can't be. */
function whenSent(post: string, id: Words["id"]): Promise<void> {
  return new Promise((resolve) => {
    const looking = new AbortController();
    function look(): void {
      if (isBeingStored(post, id)) return;
      looking.abort();
      resolve();
    }
    addEventListener("storage", look, looking);
    look();
  });
}
