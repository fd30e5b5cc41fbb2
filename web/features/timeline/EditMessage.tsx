// Editing a message in its place: Enter saves, Escape leaves it as it was.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import { TEXT_MAX_CHARS } from "#protocol/limits.ts";
import { normalise } from "#protocol/text.ts";
import type { TimelineMessage } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { t } from "../../ui/strings.ts";
import { acts } from "../../ui/strings-actions.ts";
import { k } from "../../ui/strings-conflict.ts";
import type { MessageActions } from "./actions.ts";
import styles from "./EditMessage.module.css";

interface EditMessageProps {
  readonly message: TimelineMessage;
  readonly actions: MessageActions;
}

export function EditMessage({ message, actions }: EditMessageProps): ReactElement {
  // Until something is typed it follows the message; after that an edit elsewhere doesn't overwrite it, and is shown.
  const [typed, setTyped] = useState<string | null>(null);
  const [begun, setBegun] = useState(message);
  const seen = typed === null ? message : begun;
  const text = typed ?? actions.asTyped(message.text);
  const isOutdated = !message.isDeleted && seen.text !== message.text;
  const area = useRef<HTMLTextAreaElement>(null);
  const { length } = normalise(text);
  const canSave = length > 0 && length <= TEXT_MAX_CHARS;

  useEffect(() => {
    const field = area.current;
    const article = field?.closest("article");
    const before = document.activeElement;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
    return () => {
      // Back to where one came from: the composer, the message, or in place of a button that is gone the message.
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (isThere ? before : article)?.focus();
    };
  }, []);

  async function save(): Promise<void> {
    if (!canSave) return;
    const isStored = message.isDeleted ? await actions.post(text) : await actions.saveEdit(message, text, seen);
    if (isStored) actions.stopEditing();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // The timeline's own keys are letters and arrows.
    event.stopPropagation();
    // Safari says by this code alone that Enter ended a composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") actions.stopEditing();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void save();
    }
  }

  return (
    <div className={styles.edit}>
      <textarea
        ref={area}
        className={styles.area}
        aria-label={acts.editMessage}
        aria-invalid={length > TEXT_MAX_CHARS}
        dir="auto"
        value={text}
        onChange={(event) => {
          if (typed === null) setBegun(message);
          setTyped(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      {(isOutdated || message.isDeleted) && (
        <div className={styles.meanwhile} role="status">
          <p>{isOutdated ? k.editing.elsewhere : k.editing.deleted}</p>
          {isOutdated && (
            <p className={styles.words} dir="auto">
              {actions.asTyped(message.text)}
            </p>
          )}
        </div>
      )}
      <div className={styles.foot}>
        {length > TEXT_MAX_CHARS && <span className={styles.over}>{t.composer.tooLong(length - TEXT_MAX_CHARS)}</span>}
        <Button look="quiet" onClick={actions.stopEditing}>
          {t.cancel}
        </Button>
        <Button look="primary" disabled={!canSave} onClick={() => void save()}>
          {message.isDeleted ? k.postNew : acts.save}
        </Button>
      </div>
    </div>
  );
}
